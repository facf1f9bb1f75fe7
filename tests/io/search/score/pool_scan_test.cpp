#include "io/search/score/pool_scan.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/search/score/read_bandwidth.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/plain_scan.hpp"
#include "tests/support/engine/with_threads.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

constexpr std::array kLayouts = {ScanLayout::rows, ScanLayout::postings};
constexpr std::array kScanAccesses = {PoolAccess::map, PoolAccess::read};

/// All predictions in the order of the plain twin, collected as commands do: by slot, and then in order.
std::vector<Prediction> scanned(const PoolSet& pools, const JointScan& models, const ScanOptions& options) {
  std::vector<std::vector<Prediction>> slots(scan_slots());
  std::vector<std::vector<Prediction>> by_model(models.models());
  std::size_t next = 0;
  std::int64_t done = 0;
  const ScanReceiver receiver = {
      .reduce =
          [&](const ScannedBlock& block) { slots.at(block.slot).assign(block.predictions.begin(), block.predictions.end()); },
      .consume =
          [&](const ScannedBlock& block) {
            CHECK(block.index == next++);
            CHECK(block.first_document == static_cast<std::int64_t>(by_model.front().size()));
            CHECK(test::same_bits(slots[block.slot], block.predictions));
            for (std::size_t model = 0; model < by_model.size(); ++model) {
              const std::span<const Prediction> part = block.of_model(model);
              by_model[model].insert(by_model[model].end(), part.begin(), part.end());
            }
          },
      .progress = [&](std::int64_t documents) { done = documents; }};
  const ScanTotals totals = scan(pools, models, options, receiver);
  CHECK(totals.documents == done);
  CHECK(totals.nonzeros == pools.nonzeros());
  std::vector<Prediction> all;
  for (const std::vector<Prediction>& part : by_model) all.insert(all.end(), part.begin(), part.end());
  return all;
}

struct Shards {
  std::vector<std::string> paths;
  CsrMatrix all;
};

/// Writes the pool as this number of pools, some of which may be empty.
Shards write_shards(const test::TemporaryFolder& folder, const test::SmallPool& pool, std::size_t count, RandomStream& random) {
  std::vector<std::size_t> cuts = {0, pool.rows.size()};
  for (std::size_t n = 1; n < count; ++n) cuts.push_back(random.below(pool.rows.size() + 1));
  std::ranges::sort(cuts);
  Shards shards{.paths = {}, .all = test::matrix_of(pool.columns, pool.rows)};
  for (std::size_t n = 0; n < count; ++n) {
    const auto begin = pool.rows.begin();
    const test::SmallPool shard = {
        .columns = pool.columns,
        .rows = {begin + static_cast<std::ptrdiff_t>(cuts[n]), begin + static_cast<std::ptrdiff_t>(cuts[n + 1])}};
    shards.paths.push_back(folder.file("S" + std::to_string(count) + "-" + std::to_string(n)));
    test::write_pool(shard, shards.paths.back(), {.block_rows = 50});
  }
  return shards;
}

TEST_CASE("every way to scan shards gives the bits of the plain twin") {
  test::each_case(221, 12, [&](RandomStream& random, std::uint64_t trial) {
    const test::TemporaryFolder folder;
    const test::SmallPool pool = test::random_small_pool({.documents = test::between(0, 300, random),
                                                          .features = test::between(1, 30, random),
                                                          .density = 0.3,
                                                          .degenerate = true,
                                                          .wild_values = true},
                                                         random);
    const Shards shards = write_shards(folder, pool, 1 + trial % 3, random);
    std::vector<test::PlainModel> models;
    for (std::uint64_t n = 0; n <= trial % 4; ++n)
      models.push_back(test::random_model(pool.columns, test::between(0, pool.columns, random), random));
    const std::vector<Prediction> expected = test::plainly_scanned(models, shards.all.view());
    for (const PoolAccess access : kScanAccesses) {
      const PoolSet pools = PoolSet::open(shards.paths, access, PoolTrust::checksums);
      for (const ScanLayout layout : kLayouts)
        CHECK(test::same_bits(scanned(pools, test::joint(models), {.layout = layout}), expected));
    }
  });
}

TEST_CASE_FIXTURE(test::InFolder, "a scan of many blocks has the same bits at one and two and eight threads") {
  RandomStream random = test::stream_for(222);
  const test::SmallPool pool =
      test::random_small_pool({.documents = 15'000, .features = 60, .density = 0.1, .degenerate = true}, random);
  const Shards shards = write_shards(folder, pool, 2, random);
  const std::vector<test::PlainModel> models = {test::random_model(60, 20, random), test::random_model(60, 30, random)};
  const std::vector<Prediction> expected = test::plainly_scanned(models, shards.all.view());
  for (const PoolAccess access : kScanAccesses) {
    const PoolSet pools = PoolSet::open(shards.paths, access, PoolTrust::checksums);
    for (const ScanLayout layout : kLayouts) {
      for (const int threads : {1, 2, 8}) {
        CAPTURE(threads);
        const auto scan_all = [&] {
          return scanned(pools, test::joint(models), {.layout = layout, .memory = std::uint64_t{4} << 20U});
        };
        CHECK(test::same_bits(test::with_threads(threads, scan_all), expected));
      }
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "rows are cheaper where features are common and postings where they are rare") {
  std::vector<test::RowOfEntries> rows(200);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (FeatureId feature = 0; feature < 60; ++feature) rows[row].push_back({feature, 1.0F});
    if (row == 7) rows[row].push_back({60, 1.0F});
  }
  test::write_pool({.columns = 61, .rows = rows}, folder.file("P"));
  for (const PoolAccess access : kScanAccesses) {
    const PoolSet pools = PoolSet::open(std::vector{folder.file("P")}, access, PoolTrust::checksums);
    std::vector<FeatureId> common(50);
    for (FeatureId feature = 0; feature < 50; ++feature) common[static_cast<std::size_t>(feature)] = feature;
    CHECK(cheaper_layout(pools, common) == ScanLayout::rows);
    CHECK(cheaper_layout(pools, std::vector<FeatureId>{60}) == ScanLayout::postings);
    const test::PlainModel rare{.features = {60}, .theta = {1.0}, .inverse = {1.0}};
    const ScanTotals totals = scan(pools, test::joint({rare}), {}, {});
    CHECK(totals.layout == ScanLayout::postings);
    CHECK(totals.bytes_read == 8);
    CHECK(scan(pools, test::joint({rare}), {.layout = ScanLayout::rows}, {}).bytes_read == 8 * (200 * 60 + 1) + 8 * 200);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "too little memory for a scan is refused with the option's name") {
  test::write_pool(test::small_pool(), folder.file("P"));
  const PoolSet pools = PoolSet::open(std::vector{folder.file("P")}, PoolAccess::read, PoolTrust::checksums);
  const test::PlainModel model{.features = {2}, .theta = {1.0}, .inverse = {1.0}};
  for (const ScanLayout layout : kLayouts)
    CHECK_THROWS_AS(scan(pools, test::joint({model}), {.layout = layout, .memory = 1000}, {}), FormatError);
}

TEST_CASE_FIXTURE(test::InFolder, "a receiver that throws ends the scan with its error") {
  test::write_pool(test::small_pool(), folder.file("P"));
  const test::PlainModel model{.features = {2}, .theta = {1.0}, .inverse = {1.0}};
  for (const PoolAccess access : kScanAccesses) {
    const PoolSet pools = PoolSet::open(std::vector{folder.file("P")}, access, PoolTrust::checksums);
    const auto fail = [](const ScannedBlock&) { throw std::runtime_error("enough"); };
    CHECK_THROWS_WITH_AS(scan(pools, test::joint({model}), {}, {.reduce = fail}), "enough", std::runtime_error);
    CHECK_THROWS_WITH_AS(scan(pools, test::joint({model}), {}, {.consume = fail}), "enough", std::runtime_error);
  }
}

const test::PlainModel kModel{.features = {2, 6}, .theta = {1.0, 1.0}, .inverse = {1.0, 0.0, 0.0, 1.0}};

TEST_CASE_FIXTURE(test::InFolder, "a damaged pool is refused by name") {
  const std::string path = folder.file("P");
  const auto damage = [&](const std::string& name) {
    std::fstream stream(pool_file_path(path, name), std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(-1, std::ios::end);
    stream.put('\x55');
  };
  const std::vector<std::pair<ScanLayout, std::string>> cases = {{ScanLayout::rows, "indices.npy"},
                                                                 {ScanLayout::rows, "data.npy"},
                                                                 {ScanLayout::postings, "by_feature/data.npy"},
                                                                 {ScanLayout::postings, "by_feature/indices.npy"}};
  for (const auto& [layout, name] : cases) {
    CAPTURE(name);
    test::write_pool(test::small_pool(), path);
    damage(name);
    for (const PoolTrust trust : {PoolTrust::checksums, PoolTrust::structure}) {
      try {
        const PoolSet pools = PoolSet::open(std::vector{path}, PoolAccess::read, trust);
        scan(pools, test::joint({kModel}), {.layout = layout}, {});
        FAIL_CHECK("a damaged pool was scanned");
      } catch (const CorruptFileError& error) {
        CHECK(std::string(error.what()).starts_with(path));
      }
    }
  }
}

// Whether a pool that changes so after it was opened is scanned to its end.
void check_scans(const std::string& path, const std::function<void()>& change) {
  const test::SmallPool pool = test::small_pool();
  const CsrMatrix rows = test::matrix_of(pool.columns, pool.rows);
  const std::vector<Prediction> expected = test::plainly_scanned({kModel}, rows.view());
  for (const PoolAccess access : kScanAccesses) {
    test::write_pool(pool, path);
    const PoolSet pools = PoolSet::open(std::vector{path}, access, PoolTrust::checksums);
    change();
    for (const ScanLayout layout : kLayouts)
      CHECK(test::same_bits(scanned(pools, test::joint({kModel}), {.layout = layout}), expected));
    IdStream ids(pools);
    for (const std::string& id : *pool.ids) CHECK(ids.next() == id);
    CHECK(pools.id(4) == "b/ü");
    pools.check_unchanged();
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a pool that is replaced during a scan is scanned to its end") {
  const std::string path = folder.file("P");
  check_scans(path, [&] { test::write_pool({.columns = 7, .rows = {{{1, 1.0F}}}}, path); });
}

TEST_CASE_FIXTURE(test::InFolder, "a pool that is removed during a scan is scanned to its end") {
  const std::string path = folder.file("P");
  check_scans(path, [&] { std::filesystem::remove_all(path); });
}

TEST_CASE_FIXTURE(test::InFolder, "a pass that only reads counts as many bytes as a scan of rows") {
  RandomStream random = test::stream_for(223);
  test::write_pool(test::random_small_pool({.documents = 99, .features = 31, .density = 0.4}, random), folder.file("P"));
  const PoolSet pools = PoolSet::open(std::vector{folder.file("P"), folder.file("P")}, PoolAccess::map, PoolTrust::checksums);
  const test::PlainModel model{.features = {2}, .theta = {1.0}, .inverse = {1.0}};
  const ScanTotals totals = scan(pools, test::joint({model}), {.layout = ScanLayout::rows}, {});
  const ReadPass pass = read_all_rows(pools);
  CHECK(pass.bytes == totals.bytes_read);
  CHECK(pass.checksum == test::with_threads(8, [&] { return read_all_rows(pools).checksum; }));
}

}  // namespace
}  // namespace inkling
