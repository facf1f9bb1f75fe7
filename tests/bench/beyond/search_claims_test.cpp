// The claims of the figure of searches, computed from known finds.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/search_cases.hpp"
#include "bench/beyond/search_results.hpp"
#include "tests/bench/paper/made_up_results.hpp"
#include "tests/bench/worlds/worlds.hpp"

namespace inkling::bench {
namespace {

using test::number_of;

constexpr std::int64_t kShown = 768;

/// A trial that shows `useless` useless documents first and then only wanted ones.
TrialResult late_by(std::int64_t useless, std::int64_t there = 2000) {
  TrialResult trial;
  trial.finds = Finds{there, kShown, {}};
  for (std::int64_t round = useless + 1; round <= kShown; ++round) trial.finds->at.push_back(round);
  return trial;
}

/// By policy: how many useless documents each of its trials shows.
using UselessOf = std::map<std::string, std::vector<std::int64_t>>;

StudyResult made_up_case(std::string_view name, const UselessOf& useless) {
  StudyResult result;
  result.study.name = name;
  for (const auto& [policy, trials] : useless) {
    EntrantResult& entrant = result.entrants.emplace_back();
    entrant.entrant = test::short_entrant("random", kShown);
    entrant.entrant.name = policy;
    for (const std::int64_t late : trials) entrant.trials.push_back(late_by(late));
    result.study.trials = std::ssize(trials);
  }
  return result;
}

PaperContext full_context() {
  PaperContext context;
  context.settings.effort = PaperEffort::full;
  return context;
}

Decision decided(std::string_view id, const std::vector<StudyResult>& studies) {
  const PaperContext context = full_context();
  const std::vector<ClaimRule> claims = search_claims();
  const auto rule = std::ranges::find(claims, id, &ClaimRule::id);
  REQUIRE(rule != claims.end());
  return rule->decide(Results(context, studies));
}

Verdict verdict(std::string_view id, const std::vector<StudyResult>& studies) { return decided(id, studies).verdict; }

TEST_CASE("every case has a name of its own and is paired with one that has the same trials and no marks") {
  std::set<std::string_view> names;
  for (const SearchCase& searched : search_cases()) {
    CAPTURE(searched.name);
    CHECK(names.insert(searched.name).second);
    if (searched.unmarked.empty()) continue;
    const SearchCase& other = search_case(searched.unmarked);
    CHECK(other.searched == searched.searched);
    CHECK(other.setting.largest_share == searched.setting.largest_share);
    CHECK(other.setting.begins == searched.setting.begins);
    CHECK(other.setting.wrong_ratings == searched.setting.wrong_ratings);
    CHECK(other.full.trials == searched.full.trials);
    CHECK(other.full.most_documents == searched.full.most_documents);
    CHECK(other.full.rounds >= searched.full.rounds);
    CHECK(other.quick.most_documents ==
          (searched.quick.trials > 0.0 ? searched.quick.most_documents : other.quick.most_documents));
  }
}

TEST_CASE("a policy that sees no marks has its results without marks in the case with marks") {
  const std::vector<StudyResult> studies = {made_up_case("topics", {{"asreview", {7, 9}}, {"soft-marks", {20, 20}}}),
                                            made_up_case("topics-20-words", {{"soft-marks", {3, 3}}})};
  const PaperContext context = full_context();
  const Results results(context, studies);
  const std::vector<const EntrantResult*> players = players_in(results, search_case("topics-20-words"));
  REQUIRE(players.size() == 2);
  CHECK(player_named(players, "asreview")->trials.front().finds->at.front() == 8);
  CHECK(player_named(players, "soft-marks")->trials.front().finds->at.front() == 4);
  CHECK(player_named(players, "inkling") == nullptr);
}

TEST_CASE("a claim holds if inkling shows at most as many useless documents as the better rival") {
  const auto with = [](std::int64_t ours) {
    return std::vector<StudyResult>{
        made_up_case("topics", {{"inkling", {ours, ours}}, {"asreview", {6, 8}}, {"autotar", {20, 30}}})};
  };
  CHECK(verdict("searches-unmarked", with(7)) == Verdict::holds);
  CHECK(verdict("searches-unmarked", with(8)) == Verdict::fails);
  const Decision decision = decided("searches-unmarked", with(8));
  Claim claim;
  claim.numbers = decision.numbers;
  CHECK(number_of(claim, "useless among 100, asreview").mean == 7.0);
  CHECK(number_of(claim, "useless among 100, difference").mean == 1.0);
  CHECK(verdict("searches-unmarked-found", with(17)) == Verdict::holds);
  CHECK(verdict("searches-unmarked-found", with(18)) == Verdict::fails);
}

TEST_CASE("with marks a claim holds for at most half of the useless documents of the better rival") {
  const auto with = [](std::int64_t ours) {
    return std::vector<StudyResult>{made_up_case("topics", {{"inkling", {50, 50}}, {"asreview", {8, 8}}, {"autotar", {20, 30}}}),
                                    made_up_case("topics-20-words", {{"inkling", {ours, ours}}})};
  };
  CHECK(verdict("searches-marked", with(4)) == Verdict::holds);
  CHECK(verdict("searches-marked", with(5)) == Verdict::fails);
}

TEST_CASE("there is no verdict if inkling or every rival is absent") {
  const std::vector<StudyResult> alone = {made_up_case("topics", {{"inkling", {1, 1}}})};
  const std::vector<StudyResult> without = {made_up_case("topics", {{"asreview", {1, 1}}})};
  CHECK(verdict("searches-unmarked", alone) == Verdict::not_comparable);
  CHECK(verdict("searches-unmarked", without) == Verdict::not_comparable);
  CHECK(verdict("searches-unmarked-found", without) == Verdict::not_comparable);
}

TEST_CASE("topics of at most 5 % are compared with the better rival in use separately for 25 and 100 documents") {
  const auto with = [](std::int64_t ours) {
    return std::vector<StudyResult>{made_up_case(
        "rare-5", {{"inkling", {ours, ours}}, {"greedy-svm", {1, 1}}, {"asreview", {10, 10}}, {"autotar", {20, 20}}})};
  };
  CHECK(verdict("searches-rare-25", with(7)) == Verdict::holds);
  CHECK(verdict("searches-rare-25", with(8)) == Verdict::fails);
  CHECK(verdict("searches-rare-100", with(8)) == Verdict::fails);
}

TEST_CASE("rarer topics are compared in all their cases together with the best of all rivals") {
  const auto with = [](std::int64_t ours) {
    return std::vector<StudyResult>{
        made_up_case("rare-5", {{"inkling", {90, 90}}, {"greedy-svm", {10, 10}}, {"rocchio", {20, 20}}}),
        made_up_case("rare-0.3", {{"inkling", {0, 0}}, {"greedy-svm", {10, 10}}, {"rocchio", {20, 20}}}),
        made_up_case("rare-1", {{"inkling", {ours, ours}}, {"greedy-svm", {20, 20}}, {"rocchio", {20, 20}}})};
  };
  CHECK(verdict("searches-rarer", with(21)) == Verdict::holds);  // 10.5 of 15
  CHECK(verdict("searches-rarer", with(22)) == Verdict::fails);
  const Decision decision = decided("searches-rarer", with(22));
  Claim claim;
  claim.numbers = decision.numbers;
  CHECK(number_of(claim, "useless among 25, greedy-svm").mean == 15.0);
}

TEST_CASE("searches begun by words must show a wanted document by round 3 in nine of ten") {
  std::vector<std::int64_t> useless(20, 2);
  useless[0] = useless[1] = 3;
  CHECK(verdict("searches-by-words", {made_up_case("by-words", {{"inkling", useless}})}) == Verdict::holds);
  useless[2] = 3;
  CHECK(verdict("searches-by-words", {made_up_case("by-words", {{"inkling", useless}})}) == Verdict::fails);
}

TEST_CASE("at most one search in a hundred may find less than half of the median") {
  std::vector<std::int64_t> useless(100, 10);
  useless[0] = 700;
  CHECK(verdict("searches-mistakes", {made_up_case("mistakes", {{"inkling", useless}})}) == Verdict::holds);
  useless[1] = 700;
  CHECK(verdict("searches-mistakes", {made_up_case("mistakes", {{"inkling", useless}})}) == Verdict::fails);
}

TEST_CASE("the claim fails if any rival shows fewer useless reviews") {
  const auto with = [](std::int64_t rival) {
    return std::vector<StudyResult>{
        made_up_case("reviews", {{"inkling", {30, 40}}, {"contrast", {50, 60}}, {"rocchio", {rival, rival}}})};
  };
  CHECK(verdict("searches-reviews", with(36)) == Verdict::holds);
  CHECK(verdict("searches-reviews", with(35)) == Verdict::fails);
}

TEST_CASE("cells show the spread and the documents to read only if some trial came that far") {
  EntrantResult result;
  for (const std::int64_t late : {0, 10, 20}) result.trials.push_back(late_by(late, 768));
  CHECK(spread_text(result, [](const TrialResult& trial) { return static_cast<double>(trial.finds->at.front()); }) ==
        "11.0 ± 5.8 (3 to 19)");
  CHECK(reading_text(result, 1.0).starts_with("at least "));
  CHECK_FALSE(reading_text(result, 0.5).starts_with("at least "));
  for (TrialResult& trial : result.trials) trial.finds->there = 5000;
  CHECK(reading_text(result, 0.95) == "-");
}

}  // namespace
}  // namespace inkling::bench
