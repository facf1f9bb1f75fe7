// Compares models with a base rate, rated words and weighted rows with the plain twin, in both forms and each way to score.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/dual_ridge_model.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/scored_model.hpp"
#include "engine/scoring/scan/model_scan.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between, test::Real;

constexpr std::uint64_t kBaseRateSeed = 1401;
constexpr float kOne = 1.0F;

/// The row of a word on its own. Lifetime: lends the feature.
SparseRow word_row(const FeatureId& feature) { return {{&feature, 1}, {&kOne, 1}}; }

std::unique_ptr<LinearModel> base_model(PoolView pool, double ridge, double base, int kind) {
  RidgeOptions options{.ridge = ridge, .base = base};
  if (kind == 1) options.factor = FactorKind::dense;
  if (kind == 2) options.inverse = InverseUse::kept;
  options.first_capacity = 2;
  return make_linear_model(kind == 3 ? ModelForm::dual : ModelForm::primal, pool.features(), options);
}

TEST_CASE("a base rate and a rated word agree with a calculation by hand in every form of model") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  for (int kind = 0; kind < 4; ++kind) {
    CAPTURE(kind);
    const auto model = base_model(pool.view(), 1.0, 1.0, kind);
    CHECK(model->base_mean() == 0.0);
    CHECK(model->predict(pool.view().by_document.row(0)).square == doctest::Approx(1.0));
    model->adopt(0);
    const RankOneChange change = test::learn(*model, pool.view(), 0, 3.0);
    // V = (2 1; 1 2) over the word and the base: theta = (1 1).
    CHECK(model->weight(0) == doctest::Approx(1.0));
    CHECK(model->base_mean() == doctest::Approx(1.0));
    CHECK(change.base * change.mean_gain == doctest::Approx(1.0));
    CHECK(change.leverage == doctest::Approx(2.0));
    CHECK(model->log_det_ratio() == doctest::Approx(std::log(3.0)));
    CHECK(model->predict(pool.view().by_document.row(1)).mean == doctest::Approx(1.0));
    const FeatureId word = 0;
    // V = (3 1; 1 2), right-hand side (4 3): theta = (1 1). A word alone has no base rate in it.
    CHECK(model->predict(word_row(word), 0.0).mean == doctest::Approx(1.0));
    model->observe(2, word_row(word), 1.0, 0.0);
    CHECK(model->weight(0) == doctest::Approx(1.0));
    model->observe(2, word_row(word), -4.0,
                   0.0);  // V = (4 1; 1 2), right-hand side (0 3): theta = (-3/7 12/7)
    CHECK(model->weight(0) == doctest::Approx(-3.0 / 7.0));
    CHECK(model->base_mean() == doctest::Approx(12.0 / 7.0));
    model->forget_observations(2);
    CHECK(model->weight(0) == doctest::Approx(1.0));
    CHECK(model->played().plays() == 1);
  }
}

/// A model, its scores and its plain twin, led through the same random events.
class BaseWalk {
 public:
  BaseWalk(std::uint64_t number, int kind)
      : random_(test::stream_for(kBaseRateSeed, number)),
        pool_(test::random_pool(
            {.documents = between(1, 8, random_), .features = between(1, 7, random_), .density = 0.5, .degenerate = true},
            random_)),
        view_(pool_.view()),
        ridge_(std::ldexp(1.0, between(-3, 4, random_))),
        base_(random_.coin(0.2) ? 0.0 : 0.25 * between(1, 12, random_)),
        words_(static_cast<std::size_t>(view_.features())),
        twin_(view_, ridge_, base_),
        model_(base_model(view_, ridge_, base_, kind)),
        scored_(view_, base_model(view_, ridge_, base_, kind)) {
    for (std::size_t n = 0; n < words_.size(); ++n) words_[n] = static_cast<FeatureId>(n);
    if (random_.coin(0.5)) start_with_all();
  }

  void step() {
    const FeatureId feature = between(0, view_.features() - 1, random_);
    const double choice = random_.uniform();
    if (choice < 0.35) {
      const DocumentId document = between(0, view_.documents() - 1, random_);
      observe({.key = document,
               .row = view_.by_document.row(document),
               .reward = random_.normal(),
               .base = base_,
               .weight = random_.coin(0.5) ? 1.0 : 0.1 + 3.0 * random_.uniform()});
    } else if (choice < 0.6) {
      observe({.key = view_.documents() + feature,
               .row = word_row(words_[static_cast<std::size_t>(feature)]),
               .reward = random_.coin(0.5) ? 1.0 : -1.0,
               .base = 0.0,
               .weight = random_.coin(0.5) ? 1.0 : random_.uniform() + 0.01});
    } else if (choice < 0.65) {
      recount_some();
    } else if (choice < 0.7) {
      const std::int64_t key = between(0, view_.documents() + view_.features() - 1, random_);
      model_->forget_observations(key);
      scored_.forget_observations(key);
      twin_.forget_observations(key);
    } else if (!twin_.uses(feature)) {
      model_->adopt(feature);
      scored_.adopt(feature);
      twin_.adopt(feature);
    } else if (choice < 0.95) {
      const double precision = std::ldexp(1.0, between(-3, 4, random_));
      model_->reweigh(feature, precision);
      scored_.reweigh({{Reweighed{feature, precision}}});
      twin_.reweigh(feature, precision);
    } else {
      model_->refine();
      scored_.refine();
    }
  }

  /// The first number that differs from the twin's; empty if none does.
  [[nodiscard]] std::string trouble() {
    const test::SolvedRidge right = twin_.solved();
    Real scale = 1.0L;
    for (const Real weight : right.theta) scale = std::max(scale, std::fabs(weight));
    scale *= 10.0L * (1.0L + 8.0L / static_cast<Real>(ridge_));
    const auto far = [&](double value, Real other) { return !(std::fabs(value - other) <= 1e-9L * scale); };
    if (far(model_->base_mean(), right.base_mean())) return "base rate";
    if (far(model_->log_det_ratio(), right.log_det_ratio)) return "log determinant";
    ModelScan scan(*model_, view_.documents());
    for (DocumentId i = 0; i < view_.documents(); ++i) {
      const SparseRow row = view_.by_document.row(i);
      const Real mean = right.mean(row, base_);
      const Real square = right.square(row, base_);
      const Prediction one = model_->predict(row);
      const Prediction other = scan.predict(view_.by_document, i);
      if (far(one.mean, mean) || far(other.mean, mean)) return "mean of document " + std::to_string(i);
      if (far(one.square, square) || far(other.square, square)) return "width of document " + std::to_string(i);
      const RunningScores& live = scored_.scores();
      const auto at = static_cast<std::size_t>(i);
      if (far(live.means()[at], mean)) return "running mean of document " + std::to_string(i);
      if (far(live.squares()[at], square)) return "running width of document " + std::to_string(i);
    }
    for (const FeatureId& word : words_) {
      if (far(model_->weight(word), right.weight(word))) return "weight of feature " + std::to_string(word);
      const Prediction alone = model_->predict(word_row(word), 0.0);
      if (far(alone.mean, right.mean(word_row(word), 0.0))) return "mean of word " + std::to_string(word);
      if (far(alone.square, right.square(word_row(word), 0.0))) return "width of word " + std::to_string(word);
    }
    return {};
  }

 private:
  void start_with_all() {
    model_->start_with(words_);
    scored_.start_with(words_);
    for (const FeatureId feature : words_) twin_.adopt(feature);
  }

  /// Gives some or most rows new weights and rewards. The twin forgets these rows and observes them again.
  void recount_some() {
    const double share = random_.coin(0.5) ? 0.2 : 0.9;
    std::vector<Recount> rows;
    std::vector<Observation> anew;
    for (const PlayedDocument& played : model_->played().in_order()) {
      if (!random_.coin(share)) continue;
      const double weight = 0.1 + 3.0 * random_.uniform();
      const double reward = random_.normal();
      rows.push_back(
          {.key = played.document, .weight = weight, .reward_sum = weight * reward, .reward_squares = weight * reward * reward});
      anew.push_back(
          {.key = played.document, .row = row_of(played.document), .reward = reward, .base = played.base, .weight = weight});
    }
    model_->recount(rows);
    scored_.recount(rows);
    for (const Observation& observation : anew) {
      twin_.forget_observations(observation.key);
      twin_.observe(observation);
    }
  }

  [[nodiscard]] SparseRow row_of(std::int64_t key) const {
    if (key < view_.documents()) return view_.by_document.row(static_cast<DocumentId>(key));
    return word_row(words_[static_cast<std::size_t>(key - view_.documents())]);
  }

  void observe(const Observation& observation) {
    model_->observe(observation);
    scored_.observe(observation);
    twin_.observe(observation);
  }

  RandomStream random_;
  PoolMatrix pool_;
  PoolView view_;
  double ridge_;
  double base_;
  std::vector<FeatureId> words_;
  test::ReferenceRidge twin_;
  std::unique_ptr<LinearModel> model_;
  ScoredModel scored_;
};

TEST_CASE("models with a base rate and rated words equal the plain twin in two thousand random histories") {
  constexpr std::uint64_t histories = 2000;
  for (std::uint64_t number = 0; number < histories; ++number) {
    const int kind = static_cast<int>(number % 4);
    BaseWalk walk(number, kind);
    std::string trouble = walk.trouble();
    for (int step = 0; step < 20 && trouble.empty(); ++step) {
      walk.step();
      trouble = walk.trouble();
    }
    INFO("history " << number << " kind " << kind);
    REQUIRE(trouble == "");
  }
}

TEST_CASE("a recount with an invalid weight or reward is refused and changes nothing") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}, {{0, 0.5F}}});
  for (const ModelForm form : {ModelForm::primal, ModelForm::dual}) {
    const std::unique_ptr<LinearModel> model = make_linear_model(form, 1, {});
    model->adopt(0);
    model->observe(0, pool.view().by_document.row(0), 1.0);
    model->observe(1, pool.view().by_document.row(1), 1.0);
    const double before = model->weight(0);
    const Recount fine{.key = 0, .weight = 2.0, .reward_sum = 2.0, .reward_squares = 2.0};
    const Recount weightless{.key = 1, .weight = 0.0};
    const Recount endless{.key = 1, .weight = 1.0, .reward_sum = 1e200};
    CHECK_THROWS_AS(model->recount({{fine, weightless}}), FormatError);
    CHECK_THROWS_AS(model->recount({{fine, endless}}), FormatError);
    CHECK(model->weight(0) == before);
  }
}

TEST_CASE("draws from a posterior with a base rate have its covariance in both forms") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}, {1, 0.5F}}, {{1, 1.0F}}});
  for (const int kind : {1, 3}) {
    const auto model = base_model(pool.view(), 1.0, 2.0, kind);
    model->adopt(0);
    model->adopt(1);
    test::learn(*model, pool.view(), 0, 1.0);
    test::learn(*model, pool.view(), 1, 0.0);
    test::ReferenceRidge twin(pool.view(), 1.0, 2.0);
    twin.adopt(0);
    twin.adopt(1);
    for (DocumentId i = 0; i < 2; ++i)
      twin.observe({.key = i, .row = pool.view().by_document.row(i), .reward = 0.0, .base = 2.0});
    const test::SquareMatrix inverse = twin.solved().factor.inverse();
    constexpr int draws = 20'000;
    std::array<double, 3> sums{};
    RandomStream random = test::stream_for(kBaseRateSeed, 7);
    for (int n = 0; n < draws; ++n) {
      const std::vector<double> drawn = model->draw_deviation(random);
      REQUIRE(drawn.size() == 2);
      sums[0] += drawn[0] * drawn[0];
      sums[1] += drawn[1] * drawn[1];
      sums[2] += drawn[0] * drawn[1];
    }
    // Five standard errors of a variance of at most 1.
    const double tolerance = 5.0 * std::sqrt(2.0 / draws);
    CHECK(std::fabs(sums[0] / draws - static_cast<double>(inverse.at(0, 0))) < tolerance);
    CHECK(std::fabs(sums[1] / draws - static_cast<double>(inverse.at(1, 1))) < tolerance);
    CHECK(std::fabs(sums[2] / draws - static_cast<double>(inverse.at(0, 1))) < tolerance);
  }
}

TEST_CASE("an invalid base value or weight or reward is refused and changes nothing") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}});
  CHECK_THROWS_AS(base_model(pool.view(), 1.0, -1.0, 0), FormatError);
  CHECK_THROWS_AS(base_model(pool.view(), 1.0, 1e7, 3), FormatError);
  for (int kind = 0; kind < 4; ++kind) {
    const auto model = base_model(pool.view(), 1.0, 1.0, kind);
    const SparseRow row = pool.view().by_document.row(0);
    CHECK_THROWS_AS(model->observe({.key = 0, .row = row, .reward = 1.0, .base = std::nan("")}), FormatError);
    CHECK_THROWS_AS(model->observe({.key = 0, .row = row, .reward = 1.0, .base = 1.0, .weight = 0.0}), FormatError);
    CHECK_THROWS_AS(model->observe({.key = 0, .row = row, .reward = 1e101, .base = 1.0}), FormatError);
    CHECK(model->played().plays() == 0);
  }
}

}  // namespace
}  // namespace inkling
