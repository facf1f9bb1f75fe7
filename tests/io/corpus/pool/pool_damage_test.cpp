// Promises C6, C7 and C8 about damaged files of a pool, tested on pools in memory.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stride = 17;  // with sanitizers, each check costs ten times as much
constexpr std::size_t stride_of_larger = 1649;
#else
constexpr std::size_t stride = 1;
constexpr std::size_t stride_of_larger = 1;
#endif

test::PoolBytes bytes_of(const test::SmallPool& pool) {
  const test::TemporaryFolder folder;
  test::write_pool(pool, folder.file("P"));
  return test::PoolBytes(folder.file("P"));
}

// Opens the bytes as a pool and reads all of it. Returns the error's message, if there is one.
std::optional<std::string> problem_of(const test::PoolBytes& bytes, CheckExtent extent) {
  try {
    const PoolFiles files = bytes.view();
    const PoolContents contents = checked_contents("P", files, extent);
    const PoolView pool = contents.matrix;
    check_csr(pool.features(), pool.by_document.offsets(), pool.by_document.features(), pool.by_document.values());
    const CsrMatrix columns = transposed(pool.by_document);
    CHECK(test::same_matrix(columns.view(), pool.by_feature));
    static_cast<void>(test::scan_of(contents));
    return std::nullopt;
  } catch (const CorruptFileError& error) {
    return error.what();
  }
}

void flip(std::vector<std::byte>& bytes, std::size_t bit) { bytes[bit / 8] ^= std::byte{1} << (bit % 8); }

TEST_CASE("a file of any other length is named as truncated or too long") {
  test::PoolBytes pool = bytes_of(test::small_pool());
  for (auto& [name, bytes] : pool.files()) {
    if (name == PoolFile::manifest) continue;
    const std::vector<std::byte> whole = bytes;
    for (std::size_t length = 0; length <= whole.size() + 1; length += length + 3 < whole.size() ? stride : 1) {
      if (length == whole.size()) continue;
      bytes = whole;
      bytes.resize(length);
      const std::string expected = "P/" + name + (length < whole.size() ? ": truncated: " : ": too long: ") +
                                   std::to_string(length) + " bytes of " + std::to_string(whole.size());
      CHECK(problem_of(pool, CheckExtent::structure) == expected);
    }
    bytes = whole;
  }
}

TEST_CASE("a manifest of any shorter length is damaged and a file that is gone is missing") {
  test::PoolBytes pool = bytes_of(test::small_pool());
  std::vector<std::byte>& manifest = pool["manifest.json"];
  const std::vector<std::byte> whole = manifest;
  for (std::size_t length = 0; length < whole.size(); length += stride) {
    manifest.assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK(problem_of(pool, CheckExtent::structure).value_or("none").starts_with("P/manifest.json: damaged"));
  }
  manifest = whole;
  for (const std::string_view name : kPoolFileNames) {
    auto node = pool.files().extract(std::string(name));
    REQUIRE(!node.empty());
    CHECK(problem_of(pool, CheckExtent::structure) == "P/" + std::string(name) + ": missing");
    pool.files().insert(std::move(node));
  }
  CHECK_FALSE(problem_of(pool, CheckExtent::everything));
}

TEST_CASE("every flipped bit is found and does no harm if checksums are not checked") {
  test::PoolBytes pool = bytes_of(test::small_pool());
  for (auto& [name, bytes] : pool.files()) {
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += stride) {
      flip(bytes, bit);
      const std::optional<std::string> problem = problem_of(pool, CheckExtent::everything);
      if (!problem || !problem->starts_with("P/" + name)) FAIL_CHECK(name << " bit " << bit);
      static_cast<void>(problem_of(pool, CheckExtent::structure));
      flip(bytes, bit);
    }
  }
}

TEST_CASE("every flipped bit of a larger pool is found" * doctest::test_suite("slow without sanitizers")) {
  RandomStream random = test::stream_for(11);
  test::PoolBytes pool = bytes_of(test::random_small_pool({.documents = 120, .features = 300, .density = 0.1}, random));
  std::size_t total = 0;
  for (auto& [name, bytes] : pool.files()) {
    total += bytes.size();
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += stride_of_larger) {
      flip(bytes, bit);
      if (!problem_of(pool, CheckExtent::everything)) FAIL_CHECK(name << " bit " << bit);
      flip(bytes, bit);
    }
  }
  CHECK(total > 60'000);
}

// Makes one change, as a broken or malicious program might.
void damage(test::PoolBytes& pool, RandomStream& random) {
  const std::string name(kPoolFileNames.at(random.below(kPoolFileNames.size())));
  std::vector<std::byte>& bytes = pool[name];
  const std::size_t numbers = bytes.size() > 136 ? (bytes.size() - 128) / 4 : 1;
  const std::size_t at =
      std::min<std::size_t>(128 + 4 * random.below(numbers), bytes.size() - std::min<std::size_t>(4, bytes.size()));
  switch (random.below(6)) {
    case 0:
      if (!bytes.empty()) flip(bytes, random.below(8 * bytes.size()));
      break;
    case 1: bytes.resize(random.below(bytes.size() + 1)); break;
    case 2: bytes.resize(bytes.size() + random.below(20)); break;
    case 3: bytes = pool[std::string(kPoolFileNames.at(random.below(kPoolFileNames.size())))]; break;
    case 4:
      if (bytes.size() >= at + 4) {
        constexpr std::array<std::int32_t, 7> interesting = {0,         1, -1, 5, 7, std::numeric_limits<std::int32_t>::max(),
                                                             0x7F800000};
        std::memcpy(bytes.data() + at, &interesting.at(random.below(interesting.size())), 4);
      }
      break;
    default:
      if (bytes.size() >= at + 8)
        std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                         bytes.begin() + static_cast<std::ptrdiff_t>(at) + 4);
  }
}

// Changes one of the numbers in the manifest.
void lie(test::PoolBytes& pool, RandomStream& random) {
  std::vector<std::byte>& bytes = pool["manifest.json"];
  Manifest manifest = parse_manifest("M", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const std::array<std::int64_t*, 3> numbers = {&manifest.rows, &manifest.columns, &manifest.nonzeros};
  constexpr std::array<std::int64_t, 6> interesting = {0, 1, 4, 6, 12, kMostRowsOrColumns};
  *numbers.at(random.below(numbers.size())) = interesting.at(random.below(interesting.size()));
  if (random.coin(0.3))
    manifest.files.erase(manifest.files.begin() + static_cast<std::ptrdiff_t>(random.below(manifest.files.size())));
  const std::string text = manifest_text(manifest);
  const auto told = std::as_bytes(std::span(text));
  bytes.assign(told.begin(), told.end());
}

TEST_CASE("files with right checksums and wrong contents are refused by name, or are a pool") {
  const test::PoolBytes original = bytes_of(test::small_pool());
  int refused = 0;
  int accepted = 0;
  test::each_case(5, 6000 / stride, [&](RandomStream& random) {
    test::PoolBytes pool = original;
    if (random.coin(0.15)) lie(pool, random);
    for (std::uint64_t changes = 1 + random.below(2); changes > 0; --changes) damage(pool, random);
    pool.repair_manifest();
    ++(problem_of(pool, CheckExtent::everything) ? refused : accepted);
  });
  CHECK(refused > 9 * accepted);  // any number may be an identity
  CHECK(accepted > 0);
}

// Writes a number over the one at `index` of an array and opens the pool.
template <typename Number>
std::optional<std::string> with_number(test::PoolBytes pool, const std::string& name, std::size_t index, Number number) {
  std::memcpy(pool[name].data() + 128 + index * sizeof(Number), &number, sizeof(Number));
  pool.repair_manifest();
  return problem_of(pool, CheckExtent::everything);
}

TEST_CASE("each rule of the matrix, ids, labels and texts is named where it is broken") {
  const test::PoolBytes pool = bytes_of(test::small_pool());
  CHECK(with_number<std::int64_t>(pool, "indptr.npy", 0, 1) == "P/indptr.npy: expected offsets to begin at 0, found 1");
  CHECK(with_number<std::int64_t>(pool, "indptr.npy", 2, 2) == "P/indptr.npy: expected offsets never to fall, found 2 after 3");
  CHECK(with_number<std::int64_t>(pool, "indptr.npy", 5, 12) == "P/indptr.npy: expected offsets to end at 11, found 12");
  CHECK(with_number<std::int32_t>(pool, "indices.npy", 0, -1) ==
        "P/indices.npy: expected numbers from 0 to 6 in row 0, found -1");
  CHECK(with_number<std::int32_t>(pool, "indices.npy", 2, 7) == "P/indices.npy: expected numbers from 0 to 6 in row 0, found 7");
  CHECK(with_number<std::int32_t>(pool, "indices.npy", 1, 0) == "P/indices.npy: expected row 0 to ascend, found 0 after 0");
  CHECK(with_number<float>(pool, "data.npy", 4, std::numeric_limits<float>::infinity()) ==
        "P/data.npy: expected finite numbers in row 3, found inf");
  CHECK(with_number<float>(pool, "by_feature/data.npy", 10, std::numeric_limits<float>::quiet_NaN()) ==
        "P/by_feature/data.npy: expected finite numbers in column 6, found nan");
  CHECK(with_number<std::int32_t>(pool, "by_feature/indices.npy", 0, 4) ==
        "P/by_feature/indices.npy: expected column 0 to ascend, found 3 after 4");
  CHECK(with_number<float>(pool, "data.npy", 4, 0.75F) ==
        "P/by_feature: expected the transpose of the rows, found another matrix");

  CHECK(with_number<std::int32_t>(pool, "document_frequency.npy", 2, 4) ==
        "P/document_frequency.npy: expected 3 for feature 2, found 4");
  CHECK(with_number<double>(pool, "idf.npy", 2, std::numeric_limits<double>::infinity()) == "P/idf.npy: expected finite numbers");
  CHECK(with_number<std::int32_t>(pool, "documents/labels.npy", 3, 2) ==
        "P/documents/labels.npy: expected labels from -1 to 1, found 2 in row 3");
  CHECK(with_number<std::int64_t>(pool, "documents/ids_indptr.npy", 1, 7) ==
        "P/documents/ids_indptr.npy: expected offsets never to fall, found 6 after 7");
  CHECK(with_number<std::int64_t>(pool, "documents/texts_indptr.npy", 4, 38) ==
        "P/documents/texts_indptr.npy: expected no string to begin within a character");
  CHECK(with_number<std::uint8_t>(pool, "documents/texts.npy", 3, 0xFF) ==
        "P/documents/texts.npy: expected UTF-8 in the bytes from 0 on");
}

TEST_CASE("a vocabulary that does not fit the columns or does not ascend is refused") {
  const auto with_terms = [](std::string_view terms) {
    test::PoolBytes pool = bytes_of(test::small_pool());
    const auto bytes = std::as_bytes(std::span(terms));
    pool["vocabulary.txt"].assign(bytes.begin(), bytes.end());
    pool.repair_manifest();
    return problem_of(pool, CheckExtent::everything);
  };
  CHECK_FALSE(with_terms("a\nb\nc\nd\ne\nf\ng\n"));
  CHECK(with_terms("a\nb\nc\nd\ne\nf\n") == "P/vocabulary.txt: expected 7 terms, found 6");
  CHECK(with_terms("a\nb\nc\nd\ne\nf\ng") == "P/vocabulary.txt: expected a line end after the last line");
  CHECK(with_terms("a\nb\nd\nc\ne\nf\ng\n") == "P/vocabulary.txt:4: expected lines to ascend, each once");
  CHECK(with_terms("a\na\nc\nd\ne\nf\ng\n") == "P/vocabulary.txt:2: expected lines to ascend, each once");
  CHECK(with_terms("") == "P/vocabulary.txt: expected 7 terms, found 0");
}

}  // namespace
}  // namespace inkling
