#include <cmath>

#include <doctest/doctest.h>

#include "bench/paper/bound_theory.hpp"
#include "bench/paper/figures.hpp"
#include "tests/bench/paper/made_up_results.hpp"

namespace inkling::bench {
namespace {

using test::claim_of, test::tiny_context;

BoundSetting setting(double rounds, double relevant, double discovery) {
  return {.rounds = rounds, .relevant = relevant, .discovery = discovery, .confidence = {0.5, 1.0, 0.1}};
}

TEST_CASE("the terms of Theorem 2 are those computed by hand") {
  // T = 4, k = 1, p = 1/2: M = 1, ln 60 = 4.0943446, ln 30 = 3.4011974, ln 2 = 0.6931472.
  const RegretBound bound = regret_bound(setting(4.0, 1.0, 0.5));
  CHECK(bound.finding == doctest::Approx(8.0 / 4.0943446 * (3.4011974 / 0.6931472) * (3.4011974 / 0.6931472)));
  CHECK(bound.exploring == doctest::Approx(3.0 * 2.0 * 2.0234487));  // sqrt(4 ln 60)
  // 4 sqrt(2 ln 5) (1 + 0.5 sqrt(2 ln 30 + ln 3)) with ln 5 = 1.6094379 and ln 3 = 1.0986123.
  CHECK(bound.optimism == doctest::Approx(4.0 * 1.7941226 * (1.0 + 0.5 * 2.8108727)));
  CHECK(bound.total() == doctest::Approx(bound.finding + bound.exploring + bound.optimism));
}

TEST_CASE("the terms of Theorem 2 agree with another program at larger settings") {
  const RegretBound usual = regret_bound(setting(4096.0, 5.0, 0.018));
  CHECK(usual.finding == doctest::Approx(93769.032794289));
  CHECK(usual.exploring == doctest::Approx(5381.349407226922));
  CHECK(usual.optimism == doctest::Approx(48765.14457990133));
  const RegretBound other =
      regret_bound({.rounds = 1024.0, .relevant = 10.0, .discovery = 0.1, .confidence = {0.25, 2.0, 0.05}, .ridge = 4.0});
  CHECK(other.finding == doctest::Approx(8444.201446670231));
  CHECK(other.exploring == doctest::Approx(4566.864479751071));
  CHECK(other.optimism == doctest::Approx(30929.432408073946));
}

TEST_CASE("the bound is below the worst case from some horizon on") {
  const std::optional<int> power = first_power_below_worst(setting(0.0, 5.0, 0.5));
  REQUIRE(power);
  BoundSetting at = setting(0.0, 5.0, 0.5);
  at.rounds = static_cast<double>(std::int64_t{1} << static_cast<unsigned>(*power));
  CHECK(regret_bound(at).total() < worst_regret(at));
  at.rounds /= 2.0;
  CHECK(regret_bound(at).total() >= worst_regret(at));
  CHECK_FALSE(first_power_below_worst(setting(0.0, 5.0, 1e-12)));
}

TEST_CASE("rarer marks and more words make the bound larger") {
  const double usual = regret_bound(setting(1024.0, 5.0, 0.1)).total();
  CHECK(regret_bound(setting(1024.0, 5.0, 0.05)).total() > usual);
  CHECK(regret_bound(setting(1024.0, 10.0, 0.1)).total() > usual);
  CHECK(regret_bound(setting(1024.0, 5.0, 1.0)).finding == 0.0);  // every play finds every word
}

/// A result with the regret 7 + T^exponent, in which all words are found in this round.
void follow_law(EntrantResult& result, double exponent, std::int64_t found_at) {
  const std::int64_t rounds = result.entrant.rounds;
  for (TrialResult& trial : result.trials) {
    trial.curve.clear();
    for (const std::int64_t round : checkpoints(rounds))
      trial.curve.push_back(7.0 + std::pow(static_cast<double>(round), exponent));
    trial.regret = trial.curve.back();
    trial.all_found_at = found_at;
  }
}

std::vector<StudyResult> results_of_law(const PaperContext& context, double exponent, std::int64_t found_at) {
  std::vector<StudyResult> results =
      test::made_up_results(bound_figure(), context, [](const Study&, const Entrant&, std::int64_t) { return 1.0; });
  for (StudyResult& result : results)
    for (EntrantResult& entrant : result.entrants) follow_law(entrant, exponent, found_at);
  return results;
}

TEST_CASE("octaves show the exponent of regret whatever the cost of finding the words") {
  const PaperContext context = tiny_context(200);
  std::vector<StudyResult> results = results_of_law(context, 0.5, 3);
  const EntrantResult& longest = results.front().entrants.back();
  const Octaves octaves = octaves_of(longest, 3);
  CHECK(octaves.start == std::vector<double>{25.0, 50.0, 100.0});
  CHECK(octaves.by_trial.size() == 3);
  CHECK(octaves.by_trial[0][2] == doctest::Approx(std::sqrt(200.0) - std::sqrt(100.0)));
  CHECK(octaves.exponent.mean == doctest::Approx(0.5));
}

TEST_CASE("trials in which a word was found after the first octave began do not count") {
  std::vector<StudyResult> results = results_of_law(tiny_context(200), 0.5, 25);
  EntrantResult& longest = results.front().entrants.back();
  longest.trials[0].all_found_at = 26;
  longest.trials[1].all_found_at.reset();
  CHECK(octaves_of(longest, 3).by_trial.size() == 1);
}

TEST_CASE("the claim of a square root is decided by the exponent once every word is marked") {
  const PaperContext context = tiny_context(200);
  const auto claim_at = [&](double exponent, std::int64_t found_at) {
    const std::vector<StudyResult> results = results_of_law(context, exponent, found_at);
    return claim_of(report_of(bound_figure(), Results(context, results)), "regret-exponent-once-marked");
  };
  CHECK(claim_at(0.5, 2).verdict == Verdict::holds);
  CHECK(claim_at(0.9, 2).verdict == Verdict::fails);
  CHECK(claim_at(0.5, 150).verdict == Verdict::not_comparable);
}

TEST_CASE("regret that grows faster than k fails the claim") {
  const PaperContext context = tiny_context(64);
  const auto verdict_at = [&](double exponent) {
    const FigureReport report =
        test::made_up_report(bound_figure(), context, [exponent](const Study& study, const Entrant&, std::int64_t) {
          if (!study.name.starts_with("relevant-")) return 1.0;
          return std::pow(std::stod(study.name.substr(study.name.find('-') + 1)), exponent);
        });
    return claim_of(report, "regret-at-most-linear-in-k").verdict;
  };
  CHECK(verdict_at(0.8) == Verdict::holds);
  CHECK(verdict_at(1.2) == Verdict::fails);
}

TEST_CASE("trials above the bound are counted against it") {
  const PaperContext context = tiny_context(64);
  const auto verdict_at = [&](double regret) {
    const FigureReport report =
        test::made_up_report(bound_figure(), context, [regret](const Study&, const Entrant&, std::int64_t) { return regret; });
    return claim_of(report, "regret-below-bound").verdict;
  };
  CHECK(verdict_at(10.0) == Verdict::holds);
  CHECK(verdict_at(1e9) == Verdict::fails);
}

}  // namespace
}  // namespace inkling::bench
