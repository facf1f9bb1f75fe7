#include "engine/scoring/scan/batch_scan.hpp"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between, test::same_ranking;

/// Adopts all features in random order, and learns random rewards of random documents between them.
void learn(RidgeModel& model, PoolView pool, RandomStream& random, test::ReferenceRidge* twin = nullptr) {
  const std::vector<std::int32_t> order = test::shuffled(pool.features(), random);
  for (const FeatureId feature : order) {
    model.adopt(feature);
    if (twin != nullptr) twin->adopt(feature);
    for (int play = 0; play < 5; ++play) {
      const DocumentId document = between(0, pool.documents() - 1, random);
      const double reward = random.normal();
      test::learn(model, pool, document, reward);
      if (twin != nullptr) twin->observe(document, reward);
    }
  }
}

/// Mean + radius * width of every document, ranked by a plain sort.
std::vector<Ranked> sorted_scores(const BatchScan& scan, CsrView documents, double radius) {
  std::vector<Ranked> all;
  RestrictedRows buffer;
  for (DocumentId i = 0; i < documents.rows(); ++i) {
    const Prediction prediction = scan.predict(documents.row(i), buffer);
    all.push_back({i, prediction.mean + radius * std::sqrt(std::max(prediction.square, 0.0))});
  }
  std::ranges::stable_sort(all, [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  return all;
}

TEST_CASE("a batch scan equals the plain twin") {
  test::each_case(111, 300, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool(
        {.documents = between(1, 30, random), .features = between(1, 10, random), .density = 0.5, .degenerate = true}, random);
    RidgeModel model(pool.view().features(), {.ridge = 0.5, .factor = test::kFactorKinds.at(trial % 2)});
    test::ReferenceRidge twin(pool.view(), 0.5);
    learn(model, pool.view(), random, &twin);
    const test::SolvedRidge right = twin.solved();
    const CsrView documents = pool.view().by_document;
    std::vector<double> mean(static_cast<std::size_t>(documents.rows()));
    std::vector<double> square(mean.size());
    BatchScan(model).score_all(documents, mean, square);
    for (DocumentId i = 0; i < documents.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      REQUIRE(std::fabs(mean[at] - static_cast<double>(right.mean(documents.row(i)))) < 1e-11);
      REQUIRE(std::fabs(square[at] - static_cast<double>(right.square(documents.row(i)))) < 1e-11);
    }
  });
}

TEST_CASE("the best of a batch scan are the first of a sort") {
  RandomStream random = test::stream_for(112);
  const PoolMatrix pool = test::random_pool({.documents = 6000, .features = 8, .density = 0.3, .degenerate = true}, random);
  RidgeModel model(pool.view().features(), {});
  learn(model, pool.view(), random);
  const BatchScan scan(model);
  const CsrView documents = pool.view().by_document;
  std::vector<Ranked> expected = sorted_scores(scan, documents, 0.7);
  for (const std::int32_t count : {6000, 6001, 777, 10, 1, 0}) {
    CAPTURE(count);
    expected.resize(std::min(expected.size(), static_cast<std::size_t>(count)));
    CHECK(same_ranking(scan.best(documents, 0.7, count), expected));
  }
}

TEST_CASE("ties of a batch scan go to the lowest rows") {
  const PoolMatrix pool = test::pool_of(1, std::vector<test::RowOfEntries>(3000, {{0, 1.0F}}));
  RidgeModel model(pool.view().features(), {});
  model.adopt(0);
  const std::vector<Ranked> best = BatchScan(model).best(pool.view().by_document, 1.0, 4);
  REQUIRE(best.size() == 4);
  for (DocumentId i = 0; i < 4; ++i) CHECK(best[static_cast<std::size_t>(i)].document == i);
}

TEST_CASE("a batch scan ranks only what remains") {
  RandomStream random = test::stream_for(113);
  const PoolMatrix pool = test::random_pool({.documents = 5000, .features = 5, .density = 0.4}, random);
  RidgeModel model(pool.view().features(), {});
  learn(model, pool.view(), random);
  const BatchScan scan(model);
  const auto odd = [](DocumentId document) { return document % 2 == 1; };
  std::vector<Ranked> expected = sorted_scores(scan, pool.view().by_document, 1.0);
  std::erase_if(expected, [&](const Ranked& ranked) { return !odd(ranked.document); });
  expected.resize(20);
  CHECK(same_ranking(scan.best(pool.view().by_document, 1.0, 20, odd), expected));
  CHECK(scan.best(pool.view().by_document, 1.0, 20, [](DocumentId) { return false; }).empty());
}

TEST_CASE("a batch scan scores documents of another view of the same features") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}});
  const CsrMatrix others = test::matrix_of(2, {{}, {{0, 2.0F}, {1, 1.0F}}});
  RidgeModel model(pool.view().features(), {});
  model.adopt(0);
  test::learn(model, pool.view(), 0, 4.0);  // V = (2), theta = 2
  RestrictedRows buffer;
  const Prediction prediction = BatchScan(model).predict(others.view().row(1), buffer);
  CHECK(prediction.mean == 4.0);
  CHECK(prediction.square == 2.0);
}

TEST_CASE("a batch scan of an empty pool finds nothing") {
  const PoolMatrix pool = test::pool_of(2, {});
  const RidgeModel model(pool.view().features(), {});
  CHECK(BatchScan(model).best(pool.view().by_document, 1.0, 5).empty());
}

TEST_CASE("a batch scan gives the same bits at one and two and eight threads") {
  RandomStream random = test::stream_for(114);
  const PoolMatrix pool =
      test::random_pool({.documents = 30'000, .features = 10, .density = 0.3, .degenerate = true, .wild_values = true}, random);
  RidgeModel model(pool.view().features(), {});
  learn(model, pool.view(), random);
  const CsrView documents = pool.view().by_document;
  struct Result {
    std::vector<double> mean = std::vector<double>(30'000);
    std::vector<double> square = std::vector<double>(30'000);
    std::vector<Ranked> best;
  };
  const auto scanned = [&] {
    Result result;
    const BatchScan scan(model);
    scan.score_all(documents, result.mean, result.square);
    result.best = scan.best(documents, 1.3, 500);
    return result;
  };
  const Result alone = test::with_threads(1, scanned);
  for (const int threads : {2, 8}) {
    CAPTURE(threads);
    const Result together = test::with_threads(threads, scanned);
    CHECK(together.mean == alone.mean);
    CHECK(together.square == alone.square);
    CHECK(same_ranking(together.best, alone.best));
  }
}

}  // namespace
}  // namespace inkling
