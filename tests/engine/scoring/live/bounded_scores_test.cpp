// Compares the best documents by bounds with exact scores of all documents, in random histories of a model of all features.
#include "engine/scoring/live/bounded_scores.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <doctest/doctest.h>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/scoring/scan/dual_scan.hpp"
#include "engine/sparse/whole_row.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/test_vectors.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kBoundedSeed = 1402;

/// The scores of all documents that remain, by a scan from nothing, in order of rank.
std::vector<Ranked> plainly_ranked(const DualRidgeModel& model, PoolView pool, double radius, std::size_t count,
                                   const Remains& remains) {
  const DualScan scan(model);
  DualScanBuffer buffer;
  std::vector<Prediction> predictions(static_cast<std::size_t>(pool.documents()));
  scan.score_rows(pool.by_document, {0, pool.documents()}, buffer, predictions);
  std::vector<Ranked> ranked;
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const Prediction& one = predictions[static_cast<std::size_t>(i)];
    if (remains(i)) ranked.push_back({i, optimism(one.mean, one.square, radius)});
  }
  std::ranges::sort(ranked, ranks_before);
  if (ranked.size() > count) ranked.resize(count);
  return ranked;
}

/// A pool, a model of all its features and its scores, in step through random events.
class BoundedWalk {
 public:
  explicit BoundedWalk(std::uint64_t number)
      : random_(test::stream_for(kBoundedSeed, number)),
        pool_(test::random_pool({.documents = between(1, 60, random_),
                                 .features = between(1, 30, random_),
                                 .density = 0.3,
                                 .degenerate = true,
                                 .wild_values = random_.coin(0.3)},
                                random_)),
        vectors_(test::random_vectors(pool_.view().documents(), random_.coin(0.4) ? between(1, 40, random_) : 0, random_)),
        view_(vectors_.with(pool_.view())),
        model_(view_.features() + vectors_.dimensions, {.ridge = std::ldexp(1.0, between(-3, 3, random_)),
                                                        .base = random_.coin(0.3) ? 0.0 : 0.5 * between(1, 4, random_)}),
        scores_(view_) {
    model_.start_with(test::all_up_to(model_.columns()));
    for (FeatureId added = view_.features(); added < model_.columns(); ++added) model_.reweigh(added, 0.25);
  }

  void step() {
    const DocumentId document = between(0, view_.documents() - 1, random_);
    const double choice = random_.uniform();
    if (choice < 0.8) {
      model_.observe(document, whole_.of(view_.by_document, document, model_.columns()), random_.coin(0.5) ? 1.0 : -1.0);
      scores_.follow_observation();
      if (random_.coin(0.5)) retired_.insert(document);
    } else if (choice < 0.9) {
      model_.forget_observations(document);
      scores_.follow_change();
    } else {
      model_.reweigh(between(0, view_.features() - 1, random_), std::ldexp(1.0, between(-3, 3, random_)));
      scores_.follow_change();
    }
    if (random_.coin(0.1)) scores_.release();
  }

  [[nodiscard]] bool equals_the_plain_ranking() {
    const Remains remains = [&](DocumentId document) { return !retired_.contains(document); };
    const double radius = vectors_.dimensions > 0 || random_.coin(0.5) ? 0.0 : 0.5 * random_.uniform();
    const auto count = static_cast<std::size_t>(random_.coin(0.6) ? 1 : between(0, 70, random_));
    const std::vector<Ranked> expected = plainly_ranked(model_, view_, radius, count, remains);
    return test::same_ranking(scores_.best(model_, radius, count, remains), expected);
  }

  [[nodiscard]] std::int64_t scored() const noexcept { return scores_.documents_scored(); }
  [[nodiscard]] std::int32_t documents() const noexcept { return view_.documents(); }

 private:
  RandomStream random_;
  PoolMatrix pool_;
  test::Vectors vectors_;
  PoolView view_;
  WholeRow whole_;
  DualRidgeModel model_;
  BoundedScores scores_;
  std::set<DocumentId> retired_;
};

TEST_CASE("the best by bounds are those of a full scan to the last bit in two thousand random histories") {
  for (std::uint64_t number = 0; number < 2000; ++number) {
    BoundedWalk walk(number);
    INFO("history " << number);
    for (int step = 0; step < 12; ++step) {
      REQUIRE(walk.equals_the_plain_ranking());
      walk.step();
    }
  }
}

TEST_CASE("with vectors few documents are scored exactly, and the best are those of a full scan") {
  RandomStream random = test::stream_for(kBoundedSeed, 1'000'001);
  const PoolMatrix pool = test::random_pool({.documents = 3000, .features = 400, .density = 0.05}, random);
  const test::Vectors vectors = test::random_vectors(3000, 50, random);
  const PoolView view = vectors.with(pool.view());
  DualRidgeModel model(450, {.ridge = 1.0, .base = 1.0});
  model.start_with(test::all_up_to(450));
  for (FeatureId number = 400; number < 450; ++number) model.reweigh(number, 20.0);
  BoundedScores scores(view);
  WholeRow whole;
  std::set<DocumentId> shown;
  const Remains remains = [&](DocumentId document) { return !shown.contains(document); };
  for (int round = 0; round < 60; ++round) {
    const std::vector<Ranked> best = scores.best(model, 0.0, 3, remains);
    REQUIRE(test::same_ranking(best, plainly_ranked(model, view, 0.0, 3, remains)));
    shown.insert(best.front().document);
    model.observe(best.front().document, whole.of(view.by_document, best.front().document, 450), random.coin(0.5) ? 1.0 : -1.0);
    scores.follow_observation();
  }
  CHECK(scores.documents_scored() < 60 * 300);
}

TEST_CASE("with a small radius few documents are scored exactly") {
  RandomStream random = test::stream_for(kBoundedSeed, 1'000'000);
  const PoolMatrix pool = test::random_pool({.documents = 3000, .features = 400, .density = 0.05}, random);
  DualRidgeModel model(400, {.ridge = 1.0, .base = 1.0});
  model.start_with(test::all_up_to(400));
  BoundedScores scores(pool.view());
  std::set<DocumentId> shown;
  for (int round = 0; round < 40; ++round) {
    const auto remains = [&](DocumentId document) { return !shown.contains(document); };
    const DocumentId best = scores.best(model, 0.01, 1, remains).front().document;
    shown.insert(best);
    test::learn(model, pool.view(), best, random.coin(0.5) ? 1.0 : -1.0);
    scores.follow_observation();
  }
  CHECK(scores.documents_scored() < 40 * 300);  // a tenth of all
}

TEST_CASE("an empty pool has no best documents") {
  const PoolMatrix pool = test::pool_of(3, {});
  DualRidgeModel model(3, {.ridge = 1.0, .base = 1.0});
  BoundedScores scores(pool.view());
  const Remains remains = [](DocumentId) { return true; };
  CHECK(scores.best(model, 0.0, 5, remains).empty());
  CHECK(scores.best(model, 0.5, 5, remains).empty());
}

TEST_CASE("the best by approximate means are those of a full scan in 24 searches") {
  std::int64_t scored = 0;
  for (std::uint64_t number = 0; number < test::cases(24U); ++number) {
    INFO("search " << number);
    RandomStream random = test::stream_for(kBoundedSeed, 2'000'000 + number);
    // In many searches the model learns a row of most words, whose weight changes often. Rows are long there, so that a pass over
    // them costs more than to follow the change along that one row.
    const bool presumes = random.coin(0.4);
    const std::int32_t features = presumes ? between(1200, 1500, random) : between(50, 600, random);
    const PoolMatrix pool = test::random_pool({.documents = presumes ? 3000 : between(500, 3000, random),
                                               .features = features,
                                               .density = presumes ? 0.055 : 0.02 + 0.05 * random.uniform(),
                                               .degenerate = random.coin(0.3),
                                               .wild_values = random.coin(0.2)},
                                              random);
    DualRidgeModel model(features, {.ridge = std::ldexp(1.0, between(-20, 6, random)), .base = random.coin(0.3) ? 0.0 : 1.0});
    model.start_with(test::all_up_to(features));
    AverageDocument words;
    for (FeatureId feature = 0; presumes && feature < features; ++feature) {
      if (random.coin(0.1)) continue;
      words.features.push_back(feature);
      words.values.push_back(random.coin(0.1) ? 0.0F : 0.5F * static_cast<float>(random.uniform()));
    }
    const PoolSurvey survey(pool.view(), {}, std::make_shared<const AverageDocument>(words));
    const SparseRow average = survey.average().row();
    BoundedScores scores(pool.view(), presumes || random.coin(0.5) ? &survey : nullptr);
    Recount presumed = {.key = pool.view().documents(), .weight = 1.0, .reward_sum = -1.0, .reward_squares = 1.0};
    std::set<DocumentId> shown;
    const Remains remains = [&](DocumentId document) { return !shown.contains(document); };
    for (int round = 0; round < (presumes ? 15 : 60); ++round) {
      if (round == 1 && average.size() > 0) {
        model.observe({.key = presumed.key, .row = average, .reward = -1.0, .base = model.base(), .weight = 1.0});
        scores.presume_average();
        scores.follow_observation();
      } else if (round > 1 && average.size() > 0 && random.coin(0.3)) {
        presumed.weight = presumed.reward_squares = 0.1 + 20.0 * random.uniform();
        presumed.reward_sum = -presumed.weight;
        model.recount(std::span(&presumed, 1));
        scores.follow_change();
      }
      const auto count = static_cast<std::size_t>(random.coin(0.8) ? 1 : between(2, 60, random));
      const std::vector<Ranked> expected = plainly_ranked(model, pool.view(), 0.0, count, remains);
      const std::vector<Ranked> found = scores.best(model, 0.0, count, remains);
      REQUIRE(test::same_ranking(found, expected));
      const DocumentId played = random.coin(0.7) ? found.front().document : between(0, pool.view().documents() - 1, random);
      shown.insert(played);
      test::learn(model, pool.view(), played, random.coin(0.3) ? 1.0 : -1.0);
      scores.follow_observation();
      if (random.coin(0.02)) {
        model.forget_observations(played);
        scores.follow_change();
      }
    }
    scored += scores.documents_scored();
  }
  CHECK(scored < 24 * 60 * 100);  // of 24 x 60 x 1,750 or so
}

}  // namespace
}  // namespace inkling
