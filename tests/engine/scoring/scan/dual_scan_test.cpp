#include "engine/scoring/scan/dual_scan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/plain_scan.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

/// The same random features, precisions and rewards for models of any form.
void teach(LinearModel& model, PoolView pool, int rewards, std::uint64_t trial) {
  RandomStream random = test::stream_for(231, trial);
  for (FeatureId feature = 0; feature < pool.features(); ++feature) {
    if (!random.coin(0.8)) continue;
    model.adopt(feature);
    if (random.coin(0.5)) model.reweigh(feature, 0.25 + random.uniform());
  }
  for (int n = 0; n < rewards; ++n) {
    test::learn(model, pool, between(0, pool.documents() - 1, random), random.normal());
    const FeatureId feature = between(0, pool.features() - 1, random);
    if (random.coin(0.2) && model.uses(feature)) model.reweigh(feature, 0.25 + random.uniform());
  }
}

std::vector<Prediction> scored(const DualScan& scan, CsrView documents, RowBlock rows) {
  std::vector<Prediction> predictions(rows.size());
  DualScanBuffer buffer;
  scan.score_rows(documents, rows, buffer, predictions);
  return predictions;
}

bool is_close(double found, double expected, double scale) { return std::fabs(found - expected) <= 1e-12 * std::max(1.0, scale); }

TEST_CASE("a document of one word is scored as the formulas say") {
  // One document x = (2, 1) was played with reward 3 at ridge 1: V^-1 = I - x x' / 6 and theta = x 3 / 6.
  const PoolMatrix pool = test::pool_of(2, {{{0, 2.0F}, {1, 1.0F}}, {{0, 3.0F}}});
  DualRidgeModel model(pool.view().features(), 1.0);
  model.adopt(0);
  model.adopt(1);
  test::learn(model, pool.view(), 0, 3.0);
  const std::vector<Prediction> found = scored(DualScan(model), pool.view().by_document, {1, 2});
  CHECK(found[0].mean == doctest::Approx(3.0));
  CHECK(found[0].square == doctest::Approx(9.0 - 36.0 / 6.0));
  const std::vector<ScorePart> parts = DualScan(model).parts_of(pool.view().by_document.row(1));
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].feature == 0);
  CHECK(parts[0].value == 3.0);
  CHECK(parts[0].weight == doctest::Approx(1.0));
  CHECK(parts[0].variance == doctest::Approx(1.0 - 4.0 / 6.0));
  CHECK(parts[0].smoothed == doctest::Approx(3.0 * (1.0 - 4.0 / 6.0)));
}

TEST_CASE("a dual scan gives what the dual model and the primal scan give") {
  test::each_case(230, 200, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool({.documents = between(1, 40, random),
                                               .features = between(1, 30, random),
                                               .density = random.uniform(),
                                               .degenerate = true},
                                              random);
    const CsrView documents = pool.view().by_document;
    const int rewards = between(0, 30, random);
    DualRidgeModel dual(pool.view().features(), 0.5);
    RidgeModel primal(pool.view().features(), {.ridge = 0.5});
    teach(dual, pool.view(), rewards, trial);
    teach(primal, pool.view(), rewards, trial);
    const DualScan scan(dual);
    const BatchScan expected(primal);
    const std::vector<Prediction> found = scored(scan, documents, {0, documents.rows()});
    for (DocumentId i = 0; i < documents.rows(); ++i) {
      const SparseRow row = documents.row(i);
      const Prediction& one = found[static_cast<std::size_t>(i)];
      const Prediction by_model = dual.predict(row);
      RestrictedRows buffer;
      const Prediction by_scan = expected.predict(row, buffer);
      const double scale = squared_norm(row) / dual.least_precision();
      CHECK(one.mean == by_model.mean);
      CHECK(is_close(one.square, by_model.square, scale));
      CHECK(is_close(one.mean, by_scan.mean, scale));
      CHECK(is_close(one.square, by_scan.square, scale));

      const std::vector<ScorePart> parts = scan.parts_of(row);
      const std::vector<ScorePart> right = expected.parts_of(row);
      REQUIRE(parts.size() == right.size());
      for (std::size_t n = 0; n < parts.size(); ++n) {
        CHECK(parts[n].feature == right[n].feature);
        CHECK(parts[n].value == right[n].value);
        CHECK(is_close(parts[n].weight, right[n].weight, scale));
        CHECK(is_close(parts[n].variance, right[n].variance, scale));
        CHECK(is_close(parts[n].smoothed, right[n].smoothed, scale));
      }
    }
  });
}

TEST_CASE("a document has the same bits however the rows are cut and on any number of threads") {
  RandomStream random = test::stream_for(232);
  const PoolMatrix pool =
      test::random_pool({.documents = 700, .features = 300, .density = 0.05, .degenerate = true, .wild_values = true}, random);
  const CsrView documents = pool.view().by_document;
  DualRidgeModel model(pool.view().features(), 2.0);
  teach(model, pool.view(), 100, 1);
  const DualScan scan(model);
  const std::vector<Prediction> whole = scored(scan, documents, {0, documents.rows()});
  for (DocumentId first = 0; first < documents.rows();) {
    const DocumentId end = std::min(first + between(1, 20, random), documents.rows());
    const std::vector<Prediction> part = scored(scan, documents, {first, end});
    CHECK(test::same_bits(part, std::vector<Prediction>(whole.begin() + first, whole.begin() + end)));
    first = end;
  }
  for (const int threads : {1, 2, 8}) {
    CAPTURE(threads);
    std::vector<Prediction> all(whole.size());
    test::with_threads(threads, [&] {
      scan.for_each(documents,
                    [&](DocumentId i, const Prediction& prediction) { all[static_cast<std::size_t>(i)] = prediction; });
    });
    CHECK(test::same_bits(all, whole));
  }
}

TEST_CASE("models of both forms are scored in one pass in the order they were given") {
  RandomStream random = test::stream_for(233);
  const PoolMatrix pool = test::random_pool({.documents = 50, .features = 20, .density = 0.3, .degenerate = true}, random);
  const CsrView documents = pool.view().by_document;
  std::vector<FrozenModel> models;
  std::vector<Prediction> expected;
  for (std::uint64_t n = 0; n < 5; ++n) {
    DualRidgeModel dual(pool.view().features(), 0.5);
    RidgeModel primal(pool.view().features(), {.ridge = 0.5});
    teach(dual, pool.view(), 10, n);
    teach(primal, pool.view(), 10, n);
    const auto frozen = [&] { return n % 2 == 0 ? FrozenModel(DualScan(dual)) : FrozenModel(BatchScan(primal)); };
    models.push_back(frozen());
    std::vector<FrozenModel> only;
    only.push_back(frozen());
    const JointScan alone(std::move(only));
    ScanWorkspace workspace;
    std::vector<Prediction> predictions(50);
    alone.score_rows(documents, {0, 50}, workspace, predictions);
    expected.insert(expected.end(), predictions.begin(), predictions.end());
  }
  const JointScan scan(std::move(models));
  CHECK(scan.models() == 5);
  CHECK(scan.has_dual());
  ScanWorkspace workspace;
  std::vector<Prediction> predictions(250);
  scan.score_rows(documents, {0, 50}, workspace, predictions);
  CHECK(test::same_bits(predictions, expected));
  for (std::size_t model = 0; model < 5; ++model) {
    double mean = 0.0;
    for (const ScorePart& part : scan.parts_of(model, documents.row(7))) mean += part.value * part.weight;
    CHECK(mean == doctest::Approx(expected[model * 50 + 7].mean));
  }
}

}  // namespace
}  // namespace inkling
