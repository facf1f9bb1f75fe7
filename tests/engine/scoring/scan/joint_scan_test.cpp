#include "engine/scoring/scan/joint_scan.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "engine/scoring/parallel_blocks.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/plain_scan.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

std::vector<test::PlainModel> random_models(std::int32_t features, std::int32_t count, RandomStream& random) {
  std::vector<test::PlainModel> models;
  for (std::int32_t n = 0; n < count; ++n) models.push_back(test::random_model(features, between(0, features, random), random));
  return models;
}

/// Both ways to score, in blocks of this many rows; `scan` scores one block into the predictions it is given.
template <typename Scan>
std::vector<Prediction> in_blocks(const JointScan& models, std::int32_t rows, std::int32_t rows_each, const Scan& scan) {
  std::vector<Prediction> all(models.models() * static_cast<std::size_t>(rows));
  const std::int32_t blocks = rows / rows_each + (rows % rows_each == 0 ? 0 : 1);
  for_each_block(blocks, [&](std::int32_t index) {
    const RowBlock block{index * rows_each, std::min((index + 1) * rows_each, rows)};
    ScanWorkspace workspace;
    std::vector<Prediction> predictions(models.models() * block.size());
    scan(block, workspace, predictions);
    for (std::size_t model = 0; model < models.models(); ++model) {
      std::copy_n(predictions.begin() + static_cast<std::ptrdiff_t>(model * block.size()), block.size(),
                  all.begin() + static_cast<std::ptrdiff_t>(model * static_cast<std::size_t>(rows)) + block.first);
    }
  });
  return all;
}

std::vector<Prediction> by_rows(const JointScan& models, PoolView pool, std::int32_t rows_each) {
  return in_blocks(models, pool.documents(), rows_each,
                   [&](RowBlock block, ScanWorkspace& workspace, std::span<Prediction> predictions) {
                     models.score_rows(pool.by_document, block, workspace, predictions);
                   });
}

std::vector<Prediction> by_postings(const JointScan& models, PoolView pool, std::int32_t rows_each) {
  return in_blocks(models, pool.documents(), rows_each,
                   [&](RowBlock block, ScanWorkspace& workspace, std::span<Prediction> predictions) {
                     std::vector<SparseRow> postings;
                     for (const FeatureId feature : models.features())
                       postings.push_back(postings_within(pool.by_feature.row(feature), block));
                     models.score_postings(postings, block, workspace, predictions);
                   });
}

TEST_CASE("rows and postings of several models have the bits of the plain twin") {
  test::each_case(211, 2000, [&](RandomStream& random, std::uint64_t trial) {
    const std::int32_t features = between(1, trial % 10 == 0 ? 90 : 12, random);
    const PoolMatrix pool = test::random_pool({.documents = between(0, 40, random),
                                               .features = features,
                                               .density = random.uniform(),
                                               .degenerate = true,
                                               .wild_values = trial % 2 == 0},
                                              random);
    const std::vector<test::PlainModel> models = random_models(features, between(1, 4, random), random);
    const JointScan scan = test::joint(models);
    const std::vector<Prediction> expected = test::plainly_scanned(models, pool.view().by_document);
    const std::int32_t rows_each = between(1, 50, random);
    REQUIRE(test::same_bits(by_rows(scan, pool.view(), rows_each), expected));
    REQUIRE(test::same_bits(by_postings(scan, pool.view(), rows_each), expected));
  });
}

TEST_CASE("rows that are longer than a piece of the filter keep their entries together") {
  RandomStream random = test::stream_for(212);
  const std::int32_t features = 20'000;
  const PoolMatrix pool = test::random_pool({.documents = 12, .features = features, .density = 0.6, .degenerate = true}, random);
  const std::vector<test::PlainModel> models = {test::random_model(features, 300, random),
                                                test::random_model(features, 1, random)};
  const JointScan scan = test::joint(models);
  const std::vector<Prediction> expected = test::plainly_scanned(models, pool.view().by_document);
  CHECK(test::same_bits(by_rows(scan, pool.view(), 5), expected));
  CHECK(test::same_bits(by_postings(scan, pool.view(), 5), expected));
}

TEST_CASE("documents without a relevant feature have mean and width of zero") {
  const PoolMatrix pool = test::pool_of(9, {{}, {{3, 1.0F}}, {{3, 2.0F}, {8, 1.0F}}, {}});
  const test::PlainModel model{.features = {5, 1}, .theta = {1.0, 2.0}, .inverse = {1.0, 0.5, 0.5, 1.0}};
  const JointScan scan = test::joint({model});
  const std::vector<Prediction> nothing(4, {0.0, 0.0});
  CHECK(test::same_bits(by_rows(scan, pool.view(), 3), nothing));
  CHECK(test::same_bits(by_postings(scan, pool.view(), 3), nothing));
}

TEST_CASE("a model without features is scored beside others") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 2.0F}}});
  const test::PlainModel empty{};
  const test::PlainModel one{.features = {0}, .theta = {3.0}, .inverse = {0.5}};
  const std::vector<Prediction> expected = {{0.0, 0.0}, {6.0, 2.0}};
  CHECK(test::same_bits(by_rows(test::joint({empty, one}), pool.view(), 1), expected));
  CHECK(test::same_bits(by_postings(test::joint({empty, one}), pool.view(), 1), expected));
}

TEST_CASE("a joint scan gives the same bits at one and two and eight threads") {
  RandomStream random = test::stream_for(213);
  const PoolMatrix pool =
      test::random_pool({.documents = 20'000, .features = 40, .density = 0.2, .degenerate = true, .wild_values = true}, random);
  const JointScan scan = test::joint(random_models(40, 3, random));
  const auto rows = [&] { return by_rows(scan, pool.view(), 700); };
  const auto postings = [&] { return by_postings(scan, pool.view(), 700); };
  const std::vector<Prediction> alone = test::with_threads(1, rows);
  for (const int threads : {1, 2, 8}) {
    CAPTURE(threads);
    CHECK(test::same_bits(test::with_threads(threads, rows), alone));
    CHECK(test::same_bits(test::with_threads(threads, postings), alone));
  }
}

TEST_CASE("every filter method gives the same rows") {
  RandomStream random = test::stream_for(214);
  const CsrMatrix documents =
      test::random_matrix({.documents = 300, .features = 400, .density = 0.3, .degenerate = true}, random);
  for (const std::int32_t count : {0, 1, 30, 64, 65, 400}) {
    CAPTURE(count);
    std::vector<FeatureId> features = test::shuffled(400, random);
    features.resize(static_cast<std::size_t>(count));
    std::ranges::sort(features);
    const FeatureFilter plain(features, FilterMethod::plain);
    RestrictedRows expected;
    plain.restrict_rows(documents.view(), {3, 290}, expected);
    for (const FilterMethod method : {FilterMethod::avx2, FilterMethod::avx512}) {
      if (!is_offered(method)) continue;
      RestrictedRows rows;
      FeatureFilter(features, method).restrict_rows(documents.view(), {3, 290}, rows);
      REQUIRE(rows.ends == expected.ends);
      const auto entries = static_cast<std::ptrdiff_t>(expected.entries());
      CHECK(std::equal(rows.positions.begin(), rows.positions.begin() + entries, expected.positions.begin()));
      CHECK(std::equal(rows.values.begin(), rows.values.begin() + entries, expected.values.begin()));
    }
  }
}

}  // namespace
}  // namespace inkling
