#include "engine/model/kept_inverse.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

TEST_CASE("a kept inverse grows and multiplies as a calculation by hand says") {
  KeptInverse inverse;
  inverse.append();
  inverse.append();
  inverse.add(std::vector<double>{1.0, 2.0}, 3.0);  // 3 6 / 6 12
  const std::vector<std::int32_t> positions = {1};
  const std::vector<double> values = {2.0};
  std::vector<double> product(2);
  inverse.multiply(RestrictedRow{positions, values}, product);
  CHECK(product == std::vector<double>{12.0, 24.0});
  CHECK(inverse.form(RestrictedRow{positions, values}) == 48.0);
}

/// The largest difference between what a model keeps and what its factor says, on the scale of 1 / ridge.
double drift_of(const RidgeModel& model) {
  const std::vector<double> fresh = model.inverse();
  const auto m = static_cast<std::size_t>(model.features().size());
  double worst = 0.0;
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b < m; ++b)
      worst = std::max(worst, std::fabs(fresh[a * m + b] - model.kept_inverse().row(a)[b]) * model.ridge());
  return worst;
}

TEST_CASE("a model that keeps its inverse stays equal to one that solves through every event") {
  test::each_case(20'261'123, 300, [&](RandomStream& random, std::uint64_t trial) {
    INFO("trial " << trial);
    const PoolMatrix pool = test::random_pool({.documents = 20, .features = 30, .density = 0.3, .degenerate = true}, random);
    const double ridge = std::ldexp(1.0, between(-6, 8, random));
    RidgeModel kept(pool.view().features(), {.ridge = ridge, .inverse = InverseUse::kept});
    RidgeModel solved(pool.view().features(), {.ridge = ridge});
    for (int event = 0; event < 150; ++event) {
      const FeatureId feature = between(0, 29, random);
      const double choice = random.uniform();
      if (choice < 0.7) {
        const DocumentId document = between(0, 19, random);
        const double reward = random.normal();
        (void)test::learn(kept, pool.view(), document, reward);
        (void)test::learn(solved, pool.view(), document, reward);
      } else if (!kept.features().contains(feature)) {
        (void)kept.adopt(feature);
        (void)solved.adopt(feature);
      }
    }
    CHECK(drift_of(kept) <= 1e-11);
    CHECK(kept.log_det_ratio() == doctest::Approx(solved.log_det_ratio()).epsilon(1e-11));
    for (std::size_t a = 0; a < kept.theta().size(); ++a) CHECK(std::fabs(kept.theta()[a] - solved.theta()[a]) <= 1e-9);
    for (DocumentId i = 0; i < 20; ++i) {
      const SparseRow row = pool.view().by_document.row(i);
      CHECK(std::fabs(kept.predict(row).square - solved.predict(row).square) <= 1e-11 * (1.0 + squared_norm(row) / ridge));
    }
    kept.refine();
    CHECK(drift_of(kept) == 0.0);
  });
}

}  // namespace
}  // namespace inkling
