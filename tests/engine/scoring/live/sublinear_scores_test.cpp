// The sublinear choice against a scan of every document, over thousands of random problems.
#include "engine/scoring/live/sublinear_scores.hpp"

#include <cmath>
#include <vector>

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

constexpr std::uint64_t kSublinearScoresSeed = 20'261'121;

/// Circles so small that searches of a hundred documents use all of them, and settle features whatever it costs.
constexpr CircleSizes kSmallCircles = {
    .candidate_share = 5, .fewest_candidates = 6, .list_factor = 1, .shortest_list = 2, .relaxing_part = 0};

/// A model and the scores that follow it.
class Searched {
 public:
  Searched(PoolView pool, RidgeOptions ridge, CircleSizes sizes)
      : pool_(pool), model_(pool.features(), kept(ridge)), scores_(pool, sizes) {
    retired_.resize(static_cast<std::size_t>(pool.documents()), false);
  }

  void observe(DocumentId document, double reward) {
    scores_.observe(document, model_, test::learn(model_, pool_, document, reward));
  }
  void adopt(FeatureId feature) {
    if (!model_.features().contains(feature)) scores_.adopt(feature, model_.adopt(feature), model_);
  }
  void retire(DocumentId document) {
    retired_[static_cast<std::size_t>(document)] = true;
    scores_.retire(document);
  }

  [[nodiscard]] Ranked best(double radius) { return scores_.best(model_, radius); }

  [[nodiscard]] Ranked best_of_scan(double radius) const {
    const auto remains = [&](DocumentId i) { return !retired_[static_cast<std::size_t>(i)]; };
    const std::vector<Ranked> best = BatchScan(model_).best(pool_.by_document, radius, 1, remains);
    return best.empty() ? Ranked{} : best.front();
  }

  [[nodiscard]] const RidgeModel& model() const { return model_; }
  [[nodiscard]] std::int64_t looked_at() const { return scores_.documents_scored(); }

 private:
  static RidgeOptions kept(RidgeOptions ridge) {
    ridge.inverse = InverseUse::kept;
    return ridge;
  }

  PoolView pool_;
  RidgeModel model_;
  SublinearScores scores_;
  std::vector<bool> retired_;
};

struct SearchTally {
  std::int64_t choices = 0;
  std::int64_t ties = 0;
};

/// The two choices may differ only if their scores differ by rounding alone.
void check_choice(Searched& searched, double radius, SearchTally& tally) {
  const Ranked scan = searched.best_of_scan(radius);
  const Ranked choice = searched.best(radius);
  ++tally.choices;
  if (choice.document == scan.document) return;
  ++tally.ties;
  REQUIRE(choice.document != kNoDocument);
  CHECK(std::fabs(choice.score - scan.score) <= 1e-9 * std::fabs(scan.score));
}

void random_search_event(Searched& searched, PoolView pool, double reward, RandomStream& random) {
  const double choice = random.uniform();
  const FeatureId feature = between(0, pool.features() - 1, random);
  const DocumentId document = between(0, pool.documents() - 1, random);
  if (choice < 0.75) return searched.observe(document, reward * random.normal());
  if (choice < 0.92) return searched.adopt(feature);
  if (choice < 0.97) searched.retire(document);
}

struct SearchProblem {
  std::int32_t fewest_documents = 20;
  std::int32_t most_documents = 120;
  int events = 40;
  double reward = 3.0;
  double ridge = 1.0;
  CircleSizes sizes = kSmallCircles;
};

void search_random_problem(const SearchProblem& problem, std::uint64_t number, SearchTally& tally) {
  RandomStream random = test::stream_for(kSublinearScoresSeed, number);
  const std::int32_t documents = between(problem.fewest_documents, problem.most_documents, random);
  const PoolMatrix pool = test::random_pool({.documents = documents,
                                             .features = between(2, 14, random),
                                             .density = 0.1 + 0.4 * random.uniform(),
                                             .degenerate = true,
                                             .wild_values = random.coin(0.1)},
                                            random);
  const double ridge = problem.ridge * std::ldexp(1.0, between(-4, 8, random));
  Searched searched(pool.view(), {.ridge = ridge}, problem.sizes);
  double radius = 0.1 + random.uniform();
  for (int event = 0; event < problem.events; ++event) {
    random_search_event(searched, pool.view(), problem.reward, random);
    radius += random.coin(0.5) ? 0.05 * random.uniform() : 0.0;
    if (random.coin(0.7)) check_choice(searched, radius, tally);
  }
}

TEST_CASE("the choice is that of a scan in 10000 random problems of births and retirements") {
  SearchTally tally;
  for (std::uint64_t number = 0; number < test::cases(10'000U); ++number) {
    INFO("seed " << kSublinearScoresSeed << " problem " << number);
    search_random_problem({}, number, tally);
  }
  MESSAGE(tally.choices << " choices, " << tally.ties << " numerical ties");
  CHECK(tally.choices > test::cases(200'000));
  CHECK(tally.ties * 1000 < tally.choices);
}

TEST_CASE("the choice is that of a scan where ridges are tiny or huge and rewards as well") {
  SearchTally tally;
  for (const double ridge : {1e-6, 1.0, 1e6}) {
    for (const double reward : {1e-60, 1e-30, 1.0, 1e9, 1e36, 1e60, 1e99}) {
      for (std::uint64_t number = 0; number < test::cases(30U); ++number) {
        INFO("seed " << kSublinearScoresSeed << " problem " << number << " ridge " << ridge << " reward " << reward);
        search_random_problem({.most_documents = 400, .events = 200, .reward = reward, .ridge = ridge}, number, tally);
      }
    }
  }
  MESSAGE(tally.choices << " choices, " << tally.ties << " numerical ties");
  CHECK(tally.ties * 100 < tally.choices);
}

TEST_CASE("the choice is that of a scan while means and widths are renewed block by block") {
  SearchTally tally;
  for (const bool widths : {false, true}) {
    CircleSizes sizes = kSmallCircles;
    sizes.means_age = 0;
    sizes.widths_age = widths ? 0 : 1'000;
    sizes.renewed_blocks = 1;
    for (std::uint64_t number = 0; number < test::cases(40U); ++number) {
      INFO("seed " << kSublinearScoresSeed << " problem " << number << " widths " << widths);
      search_random_problem({.fewest_documents = 2 * RelevantPostings::kBlock,
                             .most_documents = 6 * RelevantPostings::kBlock,
                             .events = 50,
                             .sizes = sizes},
                            number, tally);
    }
  }
  MESSAGE(tally.choices << " choices, " << tally.ties << " numerical ties");
  CHECK(tally.ties * 1000 < tally.choices);
}

TEST_CASE("ties go to the lowest row that remains") {
  const PoolMatrix pool = test::pool_of(2, {{}, {{1, 1.0F}}, {{0, 1.0F}}, {{1, 1.0F}}, {}});
  Searched searched(pool.view(), {.ridge = 1.0}, {});
  searched.adopt(1);
  CHECK(searched.best(1.0).document == 1);
  CHECK(searched.best(1.0).score == doctest::Approx(1.0));
  searched.retire(1);
  CHECK(searched.best(1.0).document == 3);
  searched.retire(3);
  CHECK(searched.best(1.0).document == 0);  // without a relevant feature: 0
  CHECK(searched.best(1.0).score == 0.0);
}

TEST_CASE("a document without relevant features wins where all others are below 0") {
  const PoolMatrix pool = test::pool_of(1, {{{0, 1.0F}}, {{0, 2.0F}}, {}});
  Searched searched(pool.view(), {.ridge = 1.0}, {});
  searched.adopt(0);
  for (int n = 0; n < 50; ++n) searched.observe(0, -10.0);
  CHECK(searched.best(0.5).document == 2);
  searched.retire(2);
  CHECK(searched.best(0.5).document == 0);
  searched.retire(0);
  searched.retire(1);
  CHECK(searched.best(0.5).document == kNoDocument);
}

TEST_CASE("a thousand documents of the same text are told apart by their row alone") {
  std::vector<test::RowOfEntries> rows(1000, {{0, 0.5F}, {2, 0.25F}});
  rows[700] = {{1, 0.1F}};
  const PoolMatrix pool = test::pool_of(3, rows);
  Searched searched(pool.view(), {.ridge = 1.0}, kSmallCircles);
  searched.adopt(0);
  searched.adopt(1);
  for (DocumentId i = 0; i < 20; ++i) {
    CHECK(searched.best(1.0).document == i);
    searched.observe(i, 0.1);
    searched.retire(i);
  }
}

/// A pool whose values grow from row to row, so that no part of it is like another.
PoolMatrix ascending_pool(std::int32_t documents, RandomStream& random) {
  constexpr std::int32_t features = 60;
  CsrMatrix rows(features);
  for (DocumentId i = 0; i < documents; ++i) {
    std::vector<FeatureId> held;
    std::vector<float> values;
    const auto step = static_cast<FeatureId>(5 + random.below(20));
    for (auto j = static_cast<FeatureId>(random.below(20)); j < features; j += step) {
      held.push_back(j);
      values.push_back(static_cast<float>(0.3 * random.uniform() * (i + 1) / documents));
    }
    rows.append_row({held, values});
  }
  return PoolMatrix(std::move(rows));
}

/// The documents chosen in a search, and how many were looked at.
std::vector<std::int64_t> search(PoolView pool, std::uint64_t seed, int rounds) {
  RandomStream random = test::stream_for(seed);
  Searched searched(pool, {.ridge = 1.0}, {});
  std::vector<std::int64_t> found;
  for (int round = 0; round < rounds; ++round) {
    if (round % 9 == 0) searched.adopt(static_cast<FeatureId>(round / 9));
    const Ranked choice = searched.best(1.0 + 0.01 * round);
    found.push_back(choice.document);
    searched.observe(choice.document, random.normal());
    searched.retire(choice.document);
  }
  found.push_back(searched.looked_at());
  return found;
}

TEST_CASE("the choice and the work are the same at 1 and 2 and 8 threads") {
  RandomStream random = test::stream_for(kSublinearScoresSeed);
  const PoolMatrix pool = ascending_pool(60'000, random);
  const std::vector<std::int64_t> expected =
      test::with_threads(1, [&] { return search(pool.view(), kSublinearScoresSeed, 100); });
  for (const int threads : {2, 8})
    CHECK(test::with_threads(threads, [&] { return search(pool.view(), kSublinearScoresSeed, 100); }) == expected);
}

TEST_CASE("a large pool in an unlucky order gives the choice of a scan with less than half of its work") {
  RandomStream random = test::stream_for(kSublinearScoresSeed, 1);
  const std::int32_t documents = 40 * RelevantPostings::kBlock;
  const PoolMatrix pool = ascending_pool(documents, random);
  Searched searched(pool.view(), {.ridge = 1.0}, {});
  for (FeatureId feature = 0; feature < 60; feature += 2) searched.adopt(feature);
  SearchTally tally;
  for (int round = 0; round < 60; ++round) {
    check_choice(searched, 1.0, tally);
    const DocumentId document = searched.best(1.0).document;
    searched.observe(document, 0.3 * random.normal());
    searched.retire(document);
  }
  CHECK(tally.ties == 0);
  CHECK(searched.looked_at() < std::int64_t{documents} * 60 / 2);
}

}  // namespace
}  // namespace inkling
