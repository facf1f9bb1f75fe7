#include "engine/scoring/live/scored_model.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "engine/model/linear_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

constexpr ModelForm kScoredForms[] = {ModelForm::primal, ModelForm::dual};

ScoredModel scored_model(const PoolMatrix& pool, ModelForm form) {
  return {pool.view(), make_linear_model(form, pool.view().features(), {.ridge = 0.5})};
}

void random_event(ScoredModel& scored, PoolView pool, RandomStream& random) {
  const FeatureId feature = between(0, pool.features() - 1, random);
  const double choice = random.uniform();
  if (choice < 0.6) {
    scored.observe(between(0, pool.documents() - 1, random), random.normal());
  } else if (!scored.model().uses(feature)) {
    scored.adopt(feature);
  } else {
    std::vector<Reweighed> many;  // sometimes all that are in use, so that the scores start again from the model
    for (FeatureId other = 0; other < pool.features(); ++other)
      if (scored.model().uses(other) && (other == feature || choice > 0.9))
        many.push_back({other, std::ldexp(1.0, between(-4, 6, random))});
    scored.reweigh(many);
  }
}

TEST_CASE("scores follow a model of either form through every event") {
  constexpr std::uint64_t seed = 631;
  test::each_case(seed, 200, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool =
        test::random_pool({.documents = between(1, 40, random), .features = between(1, 12, random), .degenerate = true}, random);
    ScoredModel scored = scored_model(pool, kScoredForms[trial % 2]);
    for (int step = 0; step < 40; ++step) {
      INFO("seed " << seed << " trial " << trial << " step " << step);
      random_event(scored, pool.view(), random);
      for (DocumentId document = 0; document < pool.view().documents(); ++document) {
        const Prediction right = scored.model().predict(pool.view().by_document.row(document));
        const auto at = static_cast<std::size_t>(document);
        REQUIRE(std::fabs(scored.scores().means()[at] - right.mean) < 1e-9);
        REQUIRE(std::fabs(scored.scores().squares()[at] - right.square) < 1e-9);
      }
    }
  });
}

TEST_CASE("starting with all features equals adopting each of them") {
  RandomStream random = test::stream_for(632);
  const PoolMatrix pool = test::random_pool({.documents = 30, .features = 8, .degenerate = true}, random);
  const std::vector<FeatureId> all = test::all_up_to(8);
  for (const ModelForm form : kScoredForms) {
    ScoredModel at_once = scored_model(pool, form);
    ScoredModel one_by_one = scored_model(pool, form);
    at_once.start_with(all);
    for (const FeatureId feature : all) one_by_one.adopt(feature);
    at_once.observe(3, 1.0);
    one_by_one.observe(3, 1.0);
    for (std::size_t i = 0; i < 30; ++i) {
      CHECK(at_once.scores().means()[i] == doctest::Approx(one_by_one.scores().means()[i]).epsilon(1e-12));
      CHECK(at_once.scores().squares()[i] == doctest::Approx(one_by_one.scores().squares()[i]).epsilon(1e-12));
    }
  }
}

TEST_CASE("scores of either form have the same bits at any number of threads") {
  RandomStream random = test::stream_for(633);
  const PoolMatrix pool = test::random_pool({.documents = 6000, .features = 30, .density = 0.2, .degenerate = true}, random);
  for (const ModelForm form : kScoredForms) {
    const auto means_at = [&](int threads) {
      return test::with_threads(threads, [&] {
        RandomStream events = test::stream_for(634);
        ScoredModel scored = scored_model(pool, form);
        for (int step = 0; step < 60; ++step) random_event(scored, pool.view(), events);
        return std::vector<double>(scored.scores().means().begin(), scored.scores().means().end());
      });
    };
    const std::vector<double> alone = means_at(1);
    CHECK(means_at(2) == alone);
    CHECK(means_at(8) == alone);
  }
}

TEST_CASE("a retired document is never the best") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}, {{0, 0.5F}}});
  for (const ModelForm form : kScoredForms) {
    ScoredModel scored = scored_model(pool, form);
    scored.adopt(0);
    CHECK(scored.best(1.0).document == 0);
    scored.retire(0);
    scored.observe(0, 1.0);
    CHECK(scored.best(1.0).document == 1);
  }
}

}  // namespace
}  // namespace inkling
