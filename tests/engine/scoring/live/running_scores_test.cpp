#include "engine/scoring/live/running_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

/// A model and its running scores, led through the same events.
class Scored {
 public:
  Scored(PoolView pool, RidgeOptions options) : pool_(pool), model_(pool.features(), options), scores_(pool) {}

  void observe(DocumentId document, double reward) { scores_.observe(test::learn(model_, pool_, document, reward)); }
  void adopt(FeatureId feature) { scores_.adopt(feature, model_.adopt(feature)); }

  void random_event(RandomStream& random) {
    const FeatureId feature = between(0, pool_.features() - 1, random);
    const double choice = random.uniform();
    if (choice < 0.8) return observe(between(0, pool_.documents() - 1, random), random.normal());
    if (!model_.features().contains(feature)) adopt(feature);
  }

  /// The largest difference from a scan of the documents not retired.
  [[nodiscard]] double error() const {
    std::vector<double> mean(scores_.means().size());
    std::vector<double> square(mean.size());
    BatchScan(model_).score_all(pool_.by_document, mean, square);
    double worst = 0.0;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      if (std::isinf(scores_.means()[i])) continue;
      worst = std::max({worst, std::fabs(mean[i] - scores_.means()[i]), std::fabs(square[i] - scores_.squares()[i])});
    }
    return worst;
  }

  [[nodiscard]] RunningScores& scores() noexcept { return scores_; }
  [[nodiscard]] RidgeModel& model() noexcept { return model_; }

 private:
  PoolView pool_;
  RidgeModel model_;
  RunningScores scores_;
};

TEST_CASE("running scores begin at zero and ties go to the lowest row") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{1, 1.0F}}, {}});
  const RunningScores scores(pool.view());
  CHECK(std::ranges::all_of(scores.means(), [](double mean) { return mean == 0.0; }));
  CHECK(scores.best(1.0).document == 0);
  CHECK(scores.best(1.0).score == 0.0);
}

TEST_CASE("running scores agree with a calculation by hand") {
  const PoolMatrix pool = test::pool_of(2, {{{0, 1.0F}}, {{0, 2.0F}, {1, 1.0F}}, {}});
  Scored scored(pool.view(), {.ridge = 1.0});
  scored.adopt(0);
  CHECK(scored.scores().squares()[1] == 4.0);
  scored.observe(0, 3.0);  // V = (2), theta = 3/2
  CHECK(scored.scores().means()[0] == 1.5);
  CHECK(scored.scores().means()[1] == 3.0);
  CHECK(scored.scores().squares()[0] == 0.5);
  CHECK(scored.scores().squares()[1] == 2.0);
  CHECK(scored.scores().best(0.0).document == 1);
  scored.adopt(1);  // never played: V = (2 0; 0 1)
  CHECK(scored.scores().squares()[1] == 3.0);
  CHECK(scored.scores().means()[2] == 0.0);
  CHECK(scored.scores().squares()[2] == 0.0);
}

TEST_CASE("running scores equal a batch scan through long random sequences") {
  constexpr std::uint64_t seed = 121;
  test::each_case(seed, 60, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix pool = test::random_pool(
        {.documents = between(1, 60, random), .features = between(1, 20, random), .density = 0.3, .degenerate = true}, random);
    Scored scored(pool.view(), {.ridge = 0.25, .factor = test::kFactorKinds.at(trial % 2)});
    for (int event = 0; event < 1000; ++event) {
      INFO("seed " << seed << " trial " << trial << " event " << event);
      scored.random_event(random);
      if (random.coin(0.002)) scored.scores().retire(between(0, pool.view().documents() - 1, random));
      if (event % 10 == 9) REQUIRE(scored.error() < 1e-10);
    }
  });
}

TEST_CASE("a retired document is never the best whatever happens after") {
  RandomStream random = test::stream_for(123);
  const PoolMatrix pool = test::random_pool({.documents = 12, .features = 6, .density = 0.6}, random);
  Scored scored(pool.view(), {});
  for (int event = 0; event < 40; ++event) scored.random_event(random);
  for (std::int32_t left = 12; left > 0; --left) {
    const Ranked best = scored.scores().best(1.0);
    REQUIRE(best.document != kNoDocument);
    REQUIRE_FALSE(std::isinf(scored.scores().means()[static_cast<std::size_t>(best.document)]));
    scored.scores().retire(best.document);
    for (int event = 0; event < 20; ++event) scored.random_event(random);
    if (left % 3 == 0) scored.scores().refresh(scored.model());
    REQUIRE(std::isinf(scored.scores().means()[static_cast<std::size_t>(best.document)]));
  }
  CHECK(scored.scores().best(1.0).document == kNoDocument);
}

/// The first of the highest scores, by the plainest loop.
Ranked plain_best(const RunningScores& scores, double radius) {
  Ranked best;
  for (std::size_t i = 0; i < scores.means().size(); ++i) {
    const double score = scores.means()[i] + radius * std::sqrt(std::max(scores.squares()[i], 0.0));
    if (score > best.score) best = {static_cast<DocumentId>(i), score};
  }
  return best;
}

TEST_CASE("the best running score is the first of the highest in pools of any size") {
  test::each_case(127, 200, [&](RandomStream& random, std::uint64_t trial) {
    // Only a few different rows, so that the highest score occurs many times, in any lane and block.
    const PoolMatrix kinds = test::random_pool({.documents = 6, .features = 4, .density = 0.5}, random);
    CsrMatrix rows(4);
    const std::int32_t documents = trial < 150 ? between(1, 70, random) : between(4000, 9000, random);
    for (std::int32_t i = 0; i < documents; ++i) rows.append_row(kinds.view().by_document.row(between(0, 5, random)));
    const PoolMatrix pool(std::move(rows));
    Scored scored(pool.view(), {});
    for (int event = 0; event < 25; ++event) {
      scored.random_event(random);
      const double radius = random.coin(0.2) ? 0.0 : random.uniform();
      const Ranked best = scored.scores().best(radius);
      const Ranked expected = plain_best(scored.scores(), radius);
      REQUIRE(best.document == expected.document);
      REQUIRE(best.score == expected.score);
      if (best.document != kNoDocument && random.coin(0.5)) scored.scores().retire(best.document);
    }
  });
}

/// The documents whose score, raised as far as the slack allows, is not below that of the best, lowered as far.
std::vector<DocumentId> plain_contenders(const RunningScores& scores, double radius, RunningScores::Slack slack) {
  const Ranked best = plain_best(scores, radius);
  if (best.document == kNoDocument) return {};
  const auto leader = static_cast<std::size_t>(best.document);
  const double least = optimism(scores.means()[leader], scores.squares()[leader] - slack.square, radius) - 2.0 * slack.mean;
  std::vector<DocumentId> contenders;
  for (std::size_t i = 0; i < scores.means().size(); ++i) {
    const double most = scores.means()[i] + radius * std::sqrt(std::max(scores.squares()[i], 0.0) + slack.square);
    if (most >= least) contenders.push_back(static_cast<DocumentId>(i));
  }
  return contenders;
}

TEST_CASE("the documents that may be the best are found in pools of several blocks") {
  int several = 0;
  test::each_case(128, 60, [&](RandomStream& random, std::uint64_t trial) {
    const PoolMatrix kinds = test::random_pool({.documents = 60, .features = 6, .density = 0.5}, random);
    CsrMatrix rows(6);
    const std::int32_t documents = trial < 40 ? between(1, 70, random) : between(4000, 9000, random);
    for (std::int32_t i = 0; i < documents; ++i)
      rows.append_row(i < 1000 ? kinds.view().by_document.row(between(0, 59, random)) : SparseRow{});
    const PoolMatrix pool(std::move(rows));
    Scored scored(pool.view(), {});
    for (int event = 0; event < 25; ++event) {
      scored.random_event(random);
      const double radius = random.coin(0.2) ? 0.0 : random.uniform();
      const RunningScores::Slack slack{.mean = random.coin(0.5) ? 0.0 : 0.1 * random.uniform(),
                                       .square = random.coin(0.5) ? 0.0 : random.uniform()};
      const std::vector<DocumentId> expected = plain_contenders(scored.scores(), radius, slack);
      const std::vector<DocumentId> found = scored.scores().contenders(radius, slack);
      if (found.size() != 1) REQUIRE(found == expected);
      for (const DocumentId other : expected) {  // one of several equal documents is enough
        const SparseRow row = pool.view().by_document.row(other);
        const SparseRow first = pool.view().by_document.row(found.front());
        if (found.size() == 1) REQUIRE(std::ranges::equal(row.features, first.features));
        if (found.size() == 1) REQUIRE(std::ranges::equal(row.values, first.values));
      }
      several += found.size() > 1 ? 1 : 0;
      const Ranked best = scored.scores().best(radius);
      if (best.document != kNoDocument && random.coin(0.5)) scored.scores().retire(best.document);
    }
  });
  CHECK(several > 100);
}

TEST_CASE("a refresh gives the bits of a batch scan") {
  RandomStream random = test::stream_for(124);
  const PoolMatrix pool = test::random_pool({.documents = 50, .features = 8, .density = 0.5}, random);
  Scored scored(pool.view(), {});
  for (int event = 0; event < 500; ++event) scored.random_event(random);
  scored.scores().refresh(scored.model());
  CHECK(scored.error() == 0.0);
}

TEST_CASE("running scores over several blocks have the same bits at one and two and eight threads") {
  RandomStream pool_random = test::stream_for(125);
  const PoolMatrix pool =
      test::random_pool({.documents = 40'000, .features = 8, .density = 0.3, .degenerate = true}, pool_random);
  struct Result {
    std::vector<double> mean, square;
    std::vector<DocumentId> best;
  };
  const auto run = [&] {
    RandomStream random = test::stream_for(126);
    Scored scored(pool.view(), {});
    Result result;
    for (int event = 0; event < 60; ++event) {
      scored.random_event(random);
      result.best.push_back(scored.scores().best(0.8).document);
    }
    result.mean.assign(scored.scores().means().begin(), scored.scores().means().end());
    result.square.assign(scored.scores().squares().begin(), scored.scores().squares().end());
    return result;
  };
  const Result alone = test::with_threads(1, run);
  for (const int threads : {2, 8}) {
    CAPTURE(threads);
    const Result together = test::with_threads(threads, run);
    CHECK(together.mean == alone.mean);
    CHECK(together.square == alone.square);
    CHECK(together.best == alone.best);
  }
}

}  // namespace
}  // namespace inkling
