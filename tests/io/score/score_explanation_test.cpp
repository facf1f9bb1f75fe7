#include "io/score/score_explanation.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/scoring/scan/batch_scan.hpp"
#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

std::string numbered(FeatureId feature) { return "w" + std::to_string(feature); }

TEST_CASE("words are listed by their contribution, with value, weight and uncertainty") {
  // Features 1 and 4 with theta (2, -3) and V^-1 = [[0.25, 0.1], [0.1, 0.64]].
  const BatchScan model(std::vector<FeatureId>{1, 4}, std::vector<double>{2.0, -3.0},
                        std::vector<double>{0.25, 0.1, 0.1, 0.64});
  const CsrMatrix matrix = test::matrix_of(5, {{{0, 9.0F}, {1, 1.0F}, {4, 2.0F}}, {{0, 1.0F}}});
  const std::vector<WordShare> shares = explain_score(model.parts_of(matrix.view().row(0)), numbered);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].word == "w4");
  CHECK(shares[0].feature == 4);
  CHECK(shares[0].value == 2.0);
  CHECK(shares[0].weight == -3.0);
  CHECK(shares[0].contribution == -6.0);
  CHECK(shares[0].uncertainty == doctest::Approx(0.8));
  CHECK(shares[0].width_share == doctest::Approx(2.76 / 3.21));
  CHECK(shares[1].feature == 1);
  CHECK(shares[1].width_share == doctest::Approx(0.45 / 3.21));
  CHECK(explain_score(model.parts_of(matrix.view().row(1)), numbered).empty());
}

TEST_CASE("contributions sum to the mean and shares to one") {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    CAPTURE(trial);
    RandomStream random = test::stream_for(24, trial);
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 9, .degenerate = true}, random);
    RidgeModel model(pool.view(), {});
    for (int n = 0; n < 10; ++n) model.observe(between(0, 19, random), random.normal());
    for (const std::int32_t feature : test::shuffled(9, random)) {
      if (random.coin(0.6)) model.adopt(feature);
    }
    const BatchScan scan(model);
    for (DocumentId i = 0; i < 20; ++i) {
      RestrictedRows buffer;
      const SparseRow row = pool.view().by_document.row(i);
      const Prediction prediction = scan.predict(row, buffer);
      double mean = 0.0;
      double share = 0.0;
      for (const WordShare& one : explain_score(scan.parts_of(row), numbered)) {
        mean += one.contribution;
        share += one.width_share;
      }
      CHECK(mean == doctest::Approx(prediction.mean).epsilon(1e-12));
      if (prediction.square > 0.0) CHECK(share == doctest::Approx(1.0).epsilon(1e-12));
    }
  }
}

}  // namespace
}  // namespace inkling
