#include "io/corpus/pool/open/kept_survey.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/pool/open/pool.hpp"
#include "tests/support/io/checked_pools.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

std::vector<double> products_of(const PoolSurvey& survey) { return {survey.rows().along.begin(), survey.rows().along.end()}; }

TEST_CASE_FIXTURE(test::InFolder,
                  "what a pass over a pool found is kept beside its record, and is found anew if the file changed") {
  const std::string path = folder.file("pool");
  const test::SmallPool small = {.columns = 3,
                                 .rows = {{{0, 0.5F}, {2, -2.0F}}, {}, {{1, 1.0F}}, {{0, 0.25F}, {1, 0.5F}, {2, 1.0F}}}};
  test::write_pool(small, path);
  const std::string cache = folder.file("cache");
  std::filesystem::create_directory(cache);
  const test::CacheOfUser set(cache);
  test::wait_for_records();
  if (!test::keeps_records_of(path)) return;
  const Pool pool = Pool::open(path, PoolTrust::remembered);
  const CheckedRecord record{OpenPool(path)};
  const auto surveyed = [&](std::int64_t worth_keeping) { return KeptSurvey(pool.view(), {}, record, worth_keeping); };
  const std::vector<double> truth = products_of(PoolSurvey(pool.view()));
  REQUIRE(truth.size() == 4);
  CHECK(products_of(surveyed(KeptSurvey::kWorthKeeping)) == truth);
  CHECK_FALSE(record.kept(CheckedRecord::kRows));
  CHECK(products_of(surveyed(0)) == truth);
  REQUIRE(record.kept(CheckedRecord::kRows));
  const std::string file = test::records_in(cache).back().generic_string();
  const std::string whole = test::text_of(file);
  REQUIRE(file.ends_with("-rows"));

  {
    const KeptSurvey again(pool.view(), {}, record, 0);
    CHECK(products_of(again) == truth);
    CHECK(again.rows().lengths.largest_norm_square == 4.25);
    CHECK(again.rows().lengths.longest_row == 3);
    CHECK(again.rows().lengths.has_negative);
  }

  const std::vector<double> impossible(3 + truth.size(),
                                       7.0);  // for this pool, so it can only come from the file
  const std::array<std::span<const std::byte>, 1> pieces = {std::as_bytes(std::span(impossible))};
  record.keep(CheckedRecord::kRows, pieces);
  CHECK(products_of(surveyed(0)) == std::vector<double>(truth.size(), 7.0));
  const std::array<std::span<const std::byte>, 1> short_by_one = {pieces.front().first(6 * sizeof(double))};
  record.keep(CheckedRecord::kRows, short_by_one);
  CHECK(products_of(surveyed(0)) == truth);
  CHECK(test::text_of(file) == whole);
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 5) {
    const std::string flipped = test::with_flipped_bit(whole, bit);
    std::ofstream(file, std::ios::binary) << flipped;
    if (record.kept(CheckedRecord::kRows)) FAIL_CHECK("bit " << bit);
  }
  record.remove();
  CHECK(test::records_in(cache).size() <= 1);
}

TEST_CASE_FIXTURE(test::InOldPool, "a kept survey stays as it was where its file is replaced") {
  if (!test::keeps_records_of(pool.path)) return;
  const Pool opened = Pool::open(pool.path, PoolTrust::remembered);
  const CheckedRecord record = pool.record();
  const std::vector<double> truth = products_of(PoolSurvey(opened.view()));
  CHECK(products_of(KeptSurvey(opened.view(), {}, record, 0)) == truth);
  const KeptSurvey again(opened.view(), {}, record, 0);
  CHECK(products_of(again) == truth);  // now it maps the file
  const std::vector<double> impossible(3 + truth.size(), 7.0);
  const std::array<std::span<const std::byte>, 1> pieces = {std::as_bytes(std::span(impossible))};
  record.keep(CheckedRecord::kRows, pieces);
  CHECK(products_of(KeptSurvey(opened.view(), {}, record, 0)) == std::vector<double>(truth.size(), 7.0));
  CHECK(products_of(again) == truth);
}

}  // namespace
}  // namespace inkling
