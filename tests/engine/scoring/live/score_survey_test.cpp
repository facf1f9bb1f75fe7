// Compares the bounds of all documents with their scores while features are settled and blocks are renewed.
#include "engine/scoring/live/score_survey.hpp"

#include <doctest/doctest.h>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/models.hpp"
#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kScoreSurveySeed = 20'261'124;

/// A model, and a survey that follows it.
class Surveyed {
 public:
  Surveyed(PoolView pool, double ridge) : pool_(pool), model_(pool.features(), kept(ridge)), survey_(pool.by_feature) {}

  /// Requires: the survey was not taken yet.
  void begin_with(FeatureId feature) {
    if (model_.features().contains(feature)) return;
    (void)model_.adopt(feature);
    (void)survey_.postings().append(feature);
  }
  void adopt(FeatureId feature) {
    if (model_.features().contains(feature)) return;
    const RankOneChange birth = model_.adopt(feature);
    survey_.follow_birth(feature, birth, model_.factor());
  }
  void observe(DocumentId document, double reward) {
    const std::vector<RelevantEntry> x = row(document);
    survey_.follow_reward(x, test::learn(model_, pool_, document, reward));
  }
  void retire(DocumentId document) { survey_.retire(document); }

  [[nodiscard]] RestrictedScore score(double radius) const {
    return {model_.theta(), model_.kept_inverse(), model_.ridge(), radius};
  }
  [[nodiscard]] ScoreSurvey& survey() { return survey_; }
  [[nodiscard]] const RidgeModel& model() const { return model_; }

  /// Checks that no document scores more than its bound, and that only candidates score more than the ceiling.
  void check(double radius) const {
    const RestrictedScore scored = score(radius);
    const double reach = survey_.reach(radius);
    const double ceiling = survey_.ceiling().at_most(reach) + survey_.tolerance();
    std::vector<bool> listed(static_cast<std::size_t>(pool_.documents()), false);
    for (const DocumentId document : survey_.candidates()) listed[static_cast<std::size_t>(document)] = true;
    std::int64_t above_bound = 0;
    std::int64_t above_ceiling = 0;
    std::int64_t wrong_flags = 0;
    for (DocumentId i = 0; i < pool_.documents(); ++i) {
      const PackedLine line = survey_.packed(i);
      if (!line.counts()) continue;
      const double exact = scored.score(row(i));
      if (exact > line.line().at_most(reach) + survey_.tolerance()) ++above_bound;
      if (!line.is_listed() && exact > ceiling) ++above_ceiling;
      if (line.is_listed() && !listed[static_cast<std::size_t>(i)]) ++wrong_flags;
    }
    REQUIRE(above_bound == 0);
    REQUIRE(above_ceiling == 0);
    REQUIRE(wrong_flags == 0);
  }

 private:
  static RidgeOptions kept(double ridge) { return {.ridge = ridge, .inverse = InverseUse::kept}; }

  [[nodiscard]] std::vector<RelevantEntry> row(DocumentId document) const {
    std::vector<RelevantEntry> entries;
    restrict_row(pool_.by_document.row(document), model_.features(), entries);
    return entries;
  }

  PoolView pool_;
  RidgeModel model_;
  ScoreSurvey survey_;
};

struct SurveyTally {
  int while_renewing = 0;
  int renewals = 0;
  std::int64_t settled = 0;
  std::int64_t settled_while_renewing = 0;
};

void random_survey_event(Surveyed& surveyed, PoolView pool, double radius, RandomStream& random, SurveyTally& tally) {
  ScoreSurvey& survey = surveyed.survey();
  const RidgeModel& model = surveyed.model();
  const bool renewing = survey.renewing().has_value();
  const double choice = random.uniform();
  const DocumentId document = between(0, pool.documents() - 1, random);
  const ListGoal goal = {static_cast<std::size_t>(between(1, 500, random)), std::nullopt};
  std::int64_t settled = 0;
  if (choice < 0.35) {
    surveyed.observe(document, 3.0 * random.normal());
  } else if (choice < 0.45) {
    surveyed.adopt(between(0, pool.features() - 1, random));
  } else if (choice < 0.50) {
    surveyed.retire(document);
  } else if (choice < 0.65) {
    survey.relax(model);
    settled = survey.settle(model, between(0, pool.documents(), random));
  } else if (choice < 0.72) {
    survey.relax(model);
    settled = survey.settle_and_list(model, surveyed.score(radius), goal, 0.5 * survey.drift(),
                                     between(0, 2 * pool.documents(), random));
  } else if (choice < 0.74) {
    survey.refresh_means(surveyed.score(radius), goal);
  } else if (!renewing) {
    survey.begin_renewal(random.coin(0.5) ? ScoreSurvey::Renewed::means : ScoreSurvey::Renewed::means_and_widths);
  } else {
    CHECK(survey.renew_blocks(surveyed.score(radius), between(1, 2, random)) > 0);
    tally.renewals += survey.renewing() ? 0 : 1;
  }
  tally.settled += settled;
  tally.settled_while_renewing += renewing ? settled : 0;
  tally.while_renewing += renewing ? 1 : 0;
}

TEST_CASE("no document scores above its bound or the ceiling while features are settled and blocks renewed" *
          doctest::test_suite("slow without sanitizers")) {
  SurveyTally tally;
  test::each_case(kScoreSurveySeed, test::cases(60U), [&](RandomStream& random) {
    const PoolMatrix pool =
        test::random_pool({.documents = between(2 * RelevantPostings::kBlock, 5 * RelevantPostings::kBlock, random),
                           .features = between(3, 14, random),
                           .density = 0.05 + 0.3 * random.uniform(),
                           .degenerate = true},
                          random);
    Surveyed surveyed(pool.view(), std::ldexp(1.0, between(-4, 6, random)));
    surveyed.begin_with(0);
    surveyed.begin_with(1);
    double radius = 0.1 + random.uniform();
    surveyed.survey().take(surveyed.score(radius), {200, std::nullopt});
    surveyed.check(radius);
    for (int event = 0; event < 60; ++event) {
      random_survey_event(surveyed, pool.view(), radius, random, tally);
      radius += random.coin(0.3) ? 0.05 * random.uniform() : 0.0;
      surveyed.check(radius);
    }
  });
  MESSAGE(tally.renewals << " renewals, " << tally.settled << " documents settled, " << tally.settled_while_renewing
                         << " while renewing");
  CHECK(tally.renewals > test::cases(100));
  CHECK(tally.while_renewing > test::cases(500));
  CHECK(tally.settled_while_renewing > test::cases(100'000));
}

TEST_CASE("a renewal gives the bounds of a new survey up to rounding and widths that rewards narrowed") {
  RandomStream random = test::stream_for(kScoreSurveySeed, 1'000);
  const PoolMatrix pool =
      test::random_pool({.documents = 3 * RelevantPostings::kBlock + 5, .features = 12, .density = 0.2}, random);
  Surveyed surveyed(pool.view(), 1.0);
  for (FeatureId feature = 0; feature < 6; ++feature) surveyed.begin_with(feature);
  ScoreSurvey& survey = surveyed.survey();
  survey.take(surveyed.score(1.0), {200, std::nullopt});
  for (int n = 0; n < 30; ++n) surveyed.observe(between(0, pool.view().documents() - 1, random), random.normal());
  CHECK(survey.drift() > 0.0);

  survey.begin_renewal(ScoreSurvey::Renewed::means_and_widths);
  std::int64_t documents = 0;
  while (survey.renewing()) documents += survey.renew_blocks(surveyed.score(1.0), 2);
  CHECK(documents == pool.view().documents());
  CHECK(survey.drift() == 0.0);
  std::vector<ReachLine> renewed;
  for (DocumentId i = 0; i < pool.view().documents(); ++i) renewed.push_back(survey.packed(i).line());
  survey.take(surveyed.score(1.0), {200, std::nullopt});
  for (DocumentId i = 0; i < pool.view().documents(); ++i) {
    const ReachLine fresh = survey.packed(i).line();
    REQUIRE(renewed[static_cast<std::size_t>(i)].mean == doctest::Approx(fresh.mean).epsilon(1e-6));
    REQUIRE(renewed[static_cast<std::size_t>(i)].width == doctest::Approx(fresh.width).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace inkling
