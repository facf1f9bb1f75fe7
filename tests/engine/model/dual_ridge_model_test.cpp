#include "engine/model/dual_ridge_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/reference_ridge.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

TEST_CASE("the dual model agrees with a calculation by hand") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}, {1, 2.0F}}, {{1, 1.0F}}});
  DualRidgeModel model(pool.view().features(), 1.0);
  model.adopt(0);
  test::learn(model, pool.view(), 0, 3.0);  // V = (2), theta = 3/2
  CHECK(model.weight(0) == doctest::Approx(1.5));
  CHECK(model.weight(1) == 0.0);
  CHECK(model.log_det_ratio() == doctest::Approx(std::log(2.0)));
  const RankOneChange birth = model.adopt(1);  // V = (2 2; 2 5), theta = (1/2 1)
  CHECK(birth.direction[0] == doctest::Approx(-1.0));
  CHECK(birth.direction[1] == doctest::Approx(1.0));
  CHECK(birth.square_gain == doctest::Approx(1.0 / 3.0));
  CHECK(birth.leverage == doctest::Approx(2.0));  // b' V^-1 b
  CHECK(model.weight(0) == doctest::Approx(0.5));
  CHECK(model.weight(1) == doctest::Approx(1.0));
  CHECK(model.log_det_ratio() == doctest::Approx(std::log(6.0)));
  model.reweigh(1, 3.0);  // V = (2 2; 2 7), theta = (0.9 0.6)
  CHECK(model.weight(0) == doctest::Approx(0.9));
  CHECK(model.weight(1) == doctest::Approx(0.6));
  CHECK(model.precision(1) == 3.0);
  CHECK(model.log_det_ratio() == doctest::Approx(std::log(10.0 / 3.0)));
  const Prediction prediction = model.predict(pool.view().by_document.row(1));
  CHECK(prediction.mean == doctest::Approx(0.6));
  CHECK(prediction.square == doctest::Approx(0.2));
}

/// Both forms of one model, led through the same events.
class Pair {
 public:
  Pair(const PoolMatrix& pool, double ridge, FactorKind kind)
      : pool_(pool.view()), primal_(pool_.features(), {.ridge = ridge, .factor = kind}), dual_(pool_.features(), ridge) {}

  void step(RandomStream& random) {
    const FeatureId feature = between(0, pool_.features() - 1, random);
    const double choice = random.uniform();
    if (choice < 0.5) {
      const DocumentId document = between(0, pool_.documents() - 1, random);
      const double reward = random.normal();
      check(test::learn(primal_, pool_, document, reward), test::learn(dual_, pool_, document, reward), primal_.features());
    } else if (!primal_.uses(feature)) {
      const RankOneChange birth = primal_.adopt(feature);
      check(birth, dual_.adopt(feature), primal_.features());
    } else {
      const double precision = std::ldexp(1.0, between(-4, 6, random));
      const RankOneChange change = primal_.reweigh(feature, precision);
      check(change, dual_.reweigh(feature, precision), primal_.features());
    }
  }

  /// Compares all that the two models say. Tolerances grow with the largest possible value: for a document, with its squared norm.
  void check_state() const {
    near(dual_.log_det_ratio(), primal_.log_det_ratio(), 1.0 + primal_.log_det_ratio());
    const ConfidenceOptions confidence = {0.3, 1.2, 0.1};
    near(confidence_radius(dual_.log_det_ratio(), dual_.ridge(), confidence),
         confidence_radius(primal_.log_det_ratio(), primal_.ridge(), confidence), 1.0);
    REQUIRE(dual_.features_in_use() == primal_.features_in_use());
    if (primal_.features_in_use() > 0) near(dual_.least_precision(), primal_.least_precision(), 1.0);
    double largest = 1.0;
    for (const double weight : primal_.theta()) largest = std::max(largest, std::fabs(weight));
    for (FeatureId feature = 0; feature < pool_.features(); ++feature) {
      near(dual_.weight(feature), primal_.weight(feature), largest);
      REQUIRE(dual_.uses(feature) == primal_.uses(feature));
    }
    for (DocumentId document = 0; document < pool_.documents(); ++document) {
      const SparseRow row = pool_.by_document.row(document);
      const Prediction one = primal_.predict(row);
      const Prediction other = dual_.predict(row);
      near(other.mean, one.mean, largest * (1.0 + squared_norm(row)));
      near(other.square, one.square, 1.0 + squared_norm(row) / primal_.least_precision());
    }
  }

  [[nodiscard]] DualRidgeModel& dual() noexcept { return dual_; }
  [[nodiscard]] RidgeModel& primal() noexcept { return primal_; }

 private:
  static void near(double value, double right, double scale) { REQUIRE(std::fabs(value - right) <= 1e-9 * scale); }

  /// The two directions may differ in length, but the change of each document must be the same.
  void check(const RankOneChange& primal, const RankOneChange& dual, const RelevantFeatures& features) const {
    std::vector<double> dual_direction(static_cast<std::size_t>(pool_.features()), 0.0);
    REQUIRE(dual.direction.size() == dual_.coordinates().size());
    for (std::size_t a = 0; a < dual.direction.size(); ++a)
      dual_direction[static_cast<std::size_t>(dual_.coordinates()[a])] = dual.direction[a];
    REQUIRE_FALSE(primal.rebuilt);
    REQUIRE_FALSE(dual.rebuilt);
    near(dual.leverage, primal.leverage, 1.0 + primal.leverage);
    for (DocumentId document = 0; document < pool_.documents(); ++document) {
      const SparseRow row = pool_.by_document.row(document);
      double product = 0.0;
      double double_product = 0.0;
      for (std::size_t n = 0; n < row.size(); ++n) {
        const auto value = static_cast<double>(row.values[n]);
        const auto position = features.position(row.features[n]);
        if (position) product += value * primal.direction[static_cast<std::size_t>(*position)];
        double_product += value * dual_direction[static_cast<std::size_t>(row.features[n])];
      }
      const double scale = 1.0 + squared_norm(row) / std::min(primal_.least_precision(), 1.0);
      near(dual.square_gain * double_product * double_product, primal.square_gain * product * product, scale);
      near(dual.mean_gain * double_product, primal.mean_gain * product, scale);
    }
  }

  PoolView pool_;
  RidgeModel primal_;
  DualRidgeModel dual_;
};

TEST_CASE("the primal and the dual model agree on every quantity in ten thousand random problems") {
  constexpr std::uint64_t seed = 612;
  test::each_case(seed, 10'000, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool({.documents = between(1, 9, random),
                                               .features = between(1, 9, random),
                                               .density = 0.2 + 0.7 * random.uniform(),
                                               .degenerate = true},
                                              random);
    Pair pair(pool, std::ldexp(1.0, between(-3, 4, random)), test::kFactorKinds.at(trial % 2));
    for (int step = 0; step < 12; ++step) {
      INFO("seed " << seed << " trial " << trial << " step " << step);
      pair.step(random);
      pair.check_state();
    }
    REQUIRE(pair.dual().rebuilds() == 0);
  });
}

TEST_CASE("refining a dual model changes nothing that rounding does not") {
  test::each_case(613, 100, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 12, .features = 20, .density = 0.3, .degenerate = true}, random);
    Pair pair(pool, 0.5, FactorKind::dense);
    for (int step = 0; step < 60; ++step) pair.step(random);
    pair.dual().refine();
    pair.check_state();
    pair.primal().refine();
    pair.check_state();
  });
}

/// A random event: a reward, a recount, a removal, a new feature or a new precision.
void happen(DualRidgeModel& model, PoolView pool, RandomStream& random) {
  const DocumentId document = between(0, pool.documents() - 1, random);
  const FeatureId feature = between(0, pool.features() - 1, random);
  const double choice = random.uniform();
  const double size = std::ldexp(1.0, between(-3, 3, random));
  if (choice < 0.7)
    model.observe({.key = document, .row = pool.by_document.row(document), .reward = size, .weight = size});
  else if (choice < 0.8 && model.played().place(document))
    model.recount(std::vector<Recount>{{.key = document, .weight = size, .reward_sum = 1.0, .reward_squares = 1.0 / size}});
  else if (choice < 0.85)
    model.forget_observations(document);
  else if (!model.uses(feature))
    model.adopt(feature);
  else
    model.reweigh_all(std::vector<Reweighed>{{feature, size}});
}

TEST_CASE("the next refinement learns events that were put off to the last bit") {
  int all_asked = 0;
  test::each_case(616, 200, [&](RandomStream& random) {
    const PoolMatrix pool = test::random_pool({.documents = 60, .features = 90, .density = 0.2}, random);
    DualRidgeModel followed(90, 0.5);
    DualRidgeModel put_off(90, 0.5);
    int asked = 0;
    for (int part = 0; part < 2; ++part) {
      put_off.put_off([&] { ++asked; });
      for (int n = between(0, 120, random); n > 0; --n) {
        RandomStream same = random;
        happen(followed, pool.view(), random);
        happen(put_off, pool.view(), same);
      }
      followed.refine();
      put_off.refine();
      REQUIRE_FALSE(put_off.puts_off());
      REQUIRE(std::ranges::equal(put_off.theta(), followed.theta()));
      REQUIRE(put_off.log_det_ratio() == followed.log_det_ratio());
      REQUIRE(std::ranges::equal(put_off.factor().lower(), followed.factor().lower()));
      REQUIRE(std::ranges::equal(put_off.factor().pivots(), followed.factor().pivots()));
    }
    all_asked += asked;
  });
  CHECK(all_asked > 200);
}

/// A model that learns words as rows, and one that believes them.
class RowsAndBeliefs {
 public:
  explicit RowsAndBeliefs(PoolView pool) : pool_(pool) {
    std::vector<FeatureId> all;
    for (FeatureId feature = 0; feature < pool.features(); ++feature) all.push_back(feature);
    rows_.start_with(all);
    beliefs_.start_with(all);
  }

  void step(RandomStream& random) {
    const double choice = random.uniform();
    const DocumentId document = between(0, pool_.documents() - 1, random);
    if (choice < 0.5) {
      const Observation seen = {
          .key = document, .row = pool_.by_document.row(document), .reward = random.normal(), .weight = 0.1 + random.uniform()};
      rows_.observe(seen);
      beliefs_.observe(seen);
    } else if (choice < 0.6) {
      rows_.forget_observations(document);
      beliefs_.forget_observations(document);
    } else if (choice < 0.7 && !said_.empty()) {
      rows_.forget_observations(pool_.documents() + said_.back());
      beliefs_.forget_belief(said_.back());
      said_.pop_back();
    } else {
      say(between(1, 8, random), random);
    }
  }

  void put_off() {
    beliefs_.put_off([] {});
  }
  void refine() { beliefs_.refine(); }

  void check() const {
    for (FeatureId feature = 0; feature < pool_.features(); ++feature)
      REQUIRE(beliefs_.weight(feature) == doctest::Approx(rows_.weight(feature)).epsilon(1e-9));
    for (DocumentId document = 0; document < pool_.documents(); ++document) {
      const Prediction one = rows_.predict(pool_.by_document.row(document));
      const Prediction other = beliefs_.predict(pool_.by_document.row(document));
      REQUIRE(std::fabs(other.mean - one.mean) < 1e-9);
      REQUIRE(std::fabs(other.square - one.square) < 1e-9);
    }
  }

 private:
  void say(int words, RandomStream& random) {
    std::vector<Belief> beliefs;
    for (int n = 0; n < words; ++n) {
      const FeatureId feature = between(0, pool_.features() - 1, random);
      if (std::ranges::find(said_, feature) != said_.end()) continue;
      said_.push_back(feature);
      beliefs.push_back({.feature = feature, .reward = random.normal(), .weight = 0.2 + random.uniform()});
      const float one = 1.0F;
      rows_.observe({.key = pool_.documents() + feature,
                     .row = {{&feature, 1}, {&one, 1}},
                     .reward = beliefs.back().reward,
                     .weight = beliefs.back().weight});
    }
    beliefs_.believe(beliefs);
  }

  PoolView pool_;
  DualRidgeModel rows_{pool_.features(), {.ridge = 0.5, .base = 0.3}};
  DualRidgeModel beliefs_{pool_.features(), {.ridge = 0.5, .base = 0.3}};
  std::vector<FeatureId> said_;
};

TEST_CASE("what is believed of features is the same as rows of them alone") {
  constexpr std::uint64_t seed = 617;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    INFO("seed " << seed << " trial " << trial);
    RandomStream random = test::stream_for(seed, trial);
    const PoolMatrix pool = test::random_pool({.documents = 12, .features = 30, .density = 0.3}, random);
    RowsAndBeliefs both(pool.view());
    if (trial % 2 != 0) both.put_off();
    for (int step = 0; step < 40; ++step) {
      both.step(random);
      if (trial % 2 == 0) both.check();
    }
    both.refine();
    both.check();
  }
}

TEST_CASE("a dual model of a hundred thousand features keeps no matrix of them") {
  constexpr std::int32_t features = 100'000;
  RandomStream random = test::stream_for(614);
  CsrMatrix documents(features);
  for (int n = 0; n < 30; ++n) {
    std::vector<FeatureId> row;
    for (int word = 0; word < 20; ++word) row.push_back(between(0, features - 1, random));
    std::ranges::sort(row);
    row.erase(std::ranges::unique(row).begin(), row.end());
    documents.append_row({row, std::vector<float>(row.size(), 0.25F)});
  }
  const PoolMatrix pool(std::move(documents));
  DualRidgeModel model(pool.view().features(), 2.0);
  for (FeatureId feature = 0; feature < features; ++feature) model.adopt(feature);
  for (DocumentId document = 0; document < 20; ++document) test::learn(model, pool.view(), document, 1.0);
  CHECK(model.features_in_use() == features);
  // The width of a document that was never rated is near the prior's.
  const Prediction unseen = model.predict(pool.view().by_document.row(25));
  CHECK(unseen.square == doctest::Approx(squared_norm(pool.view().by_document.row(25)) / 2.0).epsilon(0.05));
  CHECK(model.predict(pool.view().by_document.row(0)).mean > 0.3);
}

TEST_CASE("a dual model refuses invalid input and stays as it was") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}});
  DualRidgeModel model(pool.view().features(), 1.0);
  model.adopt(0);
  const FeatureId outside = 2;
  const float value = 1.0F;
  CHECK_THROWS_AS(model.observe(7, {{&outside, 1}, {&value, 1}}, 1.0), FormatError);
  CHECK_THROWS_AS(test::learn(model, pool.view(), 0, std::numeric_limits<double>::quiet_NaN()), FormatError);
  CHECK_THROWS_AS(test::learn(model, pool.view(), 0, 1e101), FormatError);
  CHECK_THROWS_AS(model.adopt(2), FormatError);
  CHECK_THROWS_AS(model.reweigh(0, 0.0), NumericalError);
  CHECK_THROWS_AS(model.reweigh(0, std::numeric_limits<double>::infinity()), NumericalError);
  CHECK_THROWS_AS(DualRidgeModel(pool.view().features(), -1.0), NumericalError);
  CHECK(model.played().in_order().empty());
  CHECK(model.log_det_ratio() == 0.0);
  CHECK(model.precision(0) == 1.0);
}

TEST_CASE("the model with the smaller matrix is taken unless there are few features") {
  RandomStream random = test::stream_for(615);
  const PoolMatrix pool = test::random_pool({.documents = 300, .features = 5}, random);
  CHECK(model_form(pool.view(), 200, 10) == ModelForm::primal);
  CHECK(model_form(pool.view(), 1000, 10) == ModelForm::dual);
  CHECK(model_form(pool.view(), 1000, 0) == ModelForm::dual);     // 0: not known, so perhaps all documents
  CHECK(model_form(pool.view(), 1000, 5000) == ModelForm::dual);  // at most all documents
  CHECK(model_form(pool.view(), 299, 0) == ModelForm::primal);
}

TEST_CASE("draws of either model have mean 0 and the covariance of the inverse") {
  RandomStream random = test::stream_for(616);
  const PoolMatrix pool = test::random_pool({.documents = 6, .features = 3, .density = 0.7}, random);
  Pair pair(pool, 0.5, FactorKind::dense);
  for (FeatureId feature = 0; feature < 3; ++feature) {
    pair.primal().adopt(feature);
    pair.dual().adopt(feature);
  }
  for (const DocumentId document : {0, 1, 2, 0}) {
    test::learn(pair.primal(), pool.view(), document, 1.0);
    test::learn(pair.dual(), pool.view(), document, 1.0);
  }
  const std::vector<double> inverse = pair.primal().inverse();
  for (const LinearModel* model :
       {static_cast<const LinearModel*>(&pair.primal()), static_cast<const LinearModel*>(&pair.dual())}) {
    constexpr int draws = 40'000;
    std::vector<double> mean(3, 0.0);
    std::vector<double> square(9, 0.0);
    for (int n = 0; n < draws; ++n) {
      const std::vector<double> draw = model->draw_deviation(random);
      for (std::size_t a = 0; a < 3; ++a) {
        mean[a] += draw[a] / draws;
        for (std::size_t b = 0; b < 3; ++b) square[a * 3 + b] += draw[a] * draw[b] / draws;
      }
    }
    // Standard errors are below 0.01: entries of V^-1 are at most 2.
    for (const double entry : mean) CHECK(std::fabs(entry) < 0.05);
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::fabs(square[i] - inverse[i]) < 0.08);
  }
}

}  // namespace
}  // namespace inkling
