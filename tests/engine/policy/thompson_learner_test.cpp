#include "engine/policy/thompson_learner.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/policy/policy_options.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::Real;

constexpr std::uint64_t kThompsonLearnerSeed = 881;
constexpr ModelForm kThompsonForms[] = {ModelForm::primal, ModelForm::dual};

std::string name_of(ModelForm form) { return form == ModelForm::primal ? "primal" : "dual"; }

TEST_CASE("draws of both models have the mean 0 and the covariance of the posterior") {
  constexpr std::int32_t features = 5;
  constexpr int draws = 40'000;
  RandomStream random = test::stream_for(kThompsonLearnerSeed);
  const PoolMatrix pool = test::random_pool({.documents = 8, .features = features, .density = 0.6}, random);
  test::ReferenceRidge reference(pool.view(), 0.5);
  for (const FeatureId feature : test::all_up_to(features)) reference.adopt(feature);
  std::vector<DocumentId> played = {0, 1, 2, 1, 1, 5};  // one of them more than once
  for (const DocumentId document : played) reference.observe(document, 1.0);
  const test::SquareMatrix inverse = reference.solved().factor.inverse();

  for (const ModelForm form : kThompsonForms) {
    CAPTURE(name_of(form));
    const std::unique_ptr<LinearModel> model =
        make_linear_model(form, pool.view().features(), {.ridge = 0.5, .factor = FactorKind::dense});
    for (const FeatureId feature : test::all_up_to(features)) model->adopt(feature);
    for (const DocumentId document : played) test::learn(*model, pool.view(), document, 1.0);
    std::vector<double> sum(features, 0.0);
    std::vector<double> products(std::size_t{features} * features, 0.0);
    for (int draw = 0; draw < draws; ++draw) {
      const std::vector<double> drawn = model->draw_deviation(random);
      for (std::size_t a = 0; a < features; ++a) {
        sum[a] += drawn[a];
        for (std::size_t b = 0; b < features; ++b) products[a * features + b] += drawn[a] * drawn[b];
      }
    }
    for (std::size_t a = 0; a < features; ++a) {
      const auto variance = static_cast<double>(inverse.at(a, a));
      CHECK(std::fabs(sum[a] / draws) <= 5.0 * std::sqrt(variance / draws));
      for (std::size_t b = 0; b < features; ++b) {
        const auto covariance = static_cast<double>(inverse.at(a, b));
        const double other = static_cast<double>(inverse.at(b, b));
        // The variance of a product of two normals: their variances' product and the square of what they
        // share.
        const double deviation = std::sqrt((variance * other + covariance * covariance) / draws);
        CHECK(std::fabs(products[a * features + b] / draws - covariance) <= 5.0 * deviation);
      }
    }
  }
}

TEST_CASE("both models choose each document equally often with all features of a wide pool in use") {
  constexpr std::int32_t features = 300;
  constexpr std::int32_t documents = 6;
  constexpr int draws = 1500;
  RandomStream random = test::stream_for(kThompsonLearnerSeed, 1);
  const PoolMatrix pool = test::random_pool({.documents = documents, .features = features, .density = 0.05}, random);
  std::vector<std::vector<int>> chosen;
  for (const ModelForm form : {ModelForm::dual, ModelForm::primal}) {
    PolicyOptions options = {.factor = FactorKind::dense};
    options.confidence.noise = 0.3;
    options.form = form;
    ThompsonLearner learner(pool.view(), options);
    REQUIRE((learner.model()->primal() == nullptr) == (form == ModelForm::dual));
    learner.start_with(test::all_up_to(features));
    learner.observe(0, 1.0);
    learner.observe(3, -0.5);
    learner.observe(0, 0.2);
    learner.retire(5);
    std::vector<int> counts(documents, 0);
    for (int draw = 0; draw < draws; ++draw) ++counts[static_cast<std::size_t>(learner.choose(random))];
    CHECK(counts.back() == 0);
    chosen.push_back(counts);
  }
  for (std::size_t i = 0; i < documents; ++i) {
    // The difference of two counts with the same probability has a variance of at most half the draws.
    CHECK(std::abs(chosen[0][i] - chosen[1][i]) <= 5.0 * std::sqrt(0.5 * draws));
  }
}

}  // namespace
}  // namespace inkling
