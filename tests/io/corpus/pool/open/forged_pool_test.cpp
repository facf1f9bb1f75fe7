// A forged pool: its rows and columns differ, but the sums of a known mix of their entries are equal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/layout_check.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// A mix without secret keys, which the first version of this program used.
std::uint64_t known_mix(std::uint64_t row, std::uint64_t feature, std::uint32_t value) {
  const std::uint64_t place = (row << 32U | feature) ^ 0xD6E8FEB86659FD93U;
  const std::uint64_t twice = (std::uint64_t{value} << 32U | value) ^ 0xA0761D6478BD642FU;
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{place} * twice;
  return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
}

constexpr std::size_t kDocuments = 16;
constexpr std::uint32_t kBitsOfOne = 0x3F800000U;
constexpr std::uint32_t kFirstValue = 0x3F000000U;

// A sum of two changes of earlier levels, and their places there.
struct Sum {
  std::uint64_t value;
  std::uint32_t left, right;
};
using Sums = std::vector<Sum>;

// All sums of a pair, one from each side, whose masked bits are zero.
Sums merged(const Sums& left, const Sums& right, std::uint64_t mask) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> sought;
  sought.reserve(right.size());
  for (std::uint32_t n = 0; n < right.size(); ++n) sought.emplace_back((0 - right[n].value) & mask, n);
  std::ranges::sort(sought);
  Sums sums;
  for (std::uint32_t n = 0; n < left.size(); ++n) {
    auto match = std::ranges::lower_bound(sought, std::pair(left[n].value & mask, std::uint32_t{0}));
    for (; match != sought.end() && match->first == (left[n].value & mask); ++match)
      sums.push_back({left[n].value + right[match->second].value, n, match->second});
  }
  return sums;
}

// Values of the columns, by document, with which all changes sum to zero.
std::vector<std::uint32_t> forged_values() {
  constexpr unsigned bits = 14;
  std::vector<std::vector<Sums>> levels(1);
  for (std::uint64_t row = 0; row < kDocuments; ++row) {
    Sums& changes = levels[0].emplace_back();
    for (std::uint32_t n = 0; n < 1U << bits; ++n)
      changes.push_back({known_mix(row, 0, kFirstValue + n) - known_mix(row, 0, kBitsOfOne), n, 0});
  }
  for (unsigned level = 1; levels.back().size() > 1; ++level) {
    const std::uint64_t mask = levels.back().size() == 2 ? ~std::uint64_t{0} : (1ULL << (bits * level)) - 1;
    std::vector<Sums> next;
    for (std::size_t n = 0; n < levels.back().size(); n += 2)
      next.push_back(merged(levels.back()[n], levels.back()[n + 1], mask));
    levels.push_back(std::move(next));
  }
  REQUIRE_FALSE(levels.back()[0].empty());
  std::vector<std::uint32_t> chosen = {0};
  for (std::size_t level = levels.size() - 1; level > 0; --level) {
    std::vector<std::uint32_t> children;
    for (std::size_t n = 0; n < chosen.size(); ++n) {
      const Sum& sum = levels[level][n][chosen[n]];
      children.insert(children.end(), {sum.left, sum.right});
    }
    chosen = std::move(children);
  }
  for (std::uint32_t& value : chosen) value += kFirstValue;
  return chosen;
}

TEST_CASE_FIXTURE(test::InFolder, "a pool forged to have equal sums of rows and columns by a known mix is refused") {
  const std::vector<std::uint32_t> values = forged_values();
  std::uint64_t difference = 0;
  for (std::uint64_t row = 0; row < kDocuments; ++row)
    difference += known_mix(row, 0, values[row]) - known_mix(row, 0, kBitsOfOne);
  REQUIRE(difference == 0);

  test::SmallPool small = {.columns = 1};
  small.rows.assign(kDocuments, {{0, 1.0F}});
  test::write_pool(small, folder.file("P"));
  test::PoolBytes pool(folder.file("P"));
  std::memcpy(pool["by_feature/data.npy"].data() + kPoolNpyHeaderBytes, values.data(), 4 * kDocuments);
  pool.repair_manifest();
  const PoolFiles files = pool.view();
  CHECK_THROWS_WITH_AS(static_cast<void>(checked_contents("P", files, CheckExtent::everything)),
                       "P/by_feature: expected the transpose of the rows, found another matrix", CorruptFileError);
}

TEST_CASE("each run mixes entries with its own keys and equal entries alike") {
  const EntryMix one;
  const EntryMix other;
  CHECK(one.mixed(3, 5, kBitsOfOne) == EntryMix(one).mixed(3, 5, kBitsOfOne));
  CHECK(one.mixed(3, 5, kBitsOfOne) != other.mixed(3, 5, kBitsOfOne));
  CHECK(one.mixed(3, 5, kBitsOfOne) != one.mixed(5, 3, kBitsOfOne));
  CHECK(one.mixed(3, 5, kBitsOfOne) != one.mixed(3, 5, kBitsOfOne + 1));
  const EntryMix weakest(EntryMix::Keys{0, 0, 0, 0});
  CHECK(weakest.mixed(0, 0, 0) != weakest.mixed(0, 0, 1));
}

}  // namespace
}  // namespace inkling
