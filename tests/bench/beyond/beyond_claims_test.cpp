// What the figures beyond the paper make of numbers that are known: which claims hold, and which do not.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "bench/beyond/beyond_programme.hpp"
#include "tests/bench/paper/made_up_results.hpp"

namespace inkling::bench {
namespace {

using test::around;
using test::claim_of;
using test::made_up_report;
using test::number_of;
using test::tiny_context;

/// The preset soft-marks with this regret, all others with 100.
test::RegretOf soft_marks_with(double regret) {
  return [regret](const Study&, const Entrant& entrant, std::int64_t trial) {
    return around(entrant.preset.name == "soft-marks" ? regret : 100.0, trial);
  };
}

/// One of the figures that differ in one setting of the worlds. Requires: there is one of this name.
Figure by_parameter(std::string_view name) {
  const std::vector<Figure> figures = one_parameter_figures();
  const auto found = std::ranges::find(figures, name, &Figure::name);
  REQUIRE(found != figures.end());
  return *found;
}

TEST_CASE("soft marks are held to their factors") {
  const PaperContext context = tiny_context(64);
  const FigureReport good = made_up_report(soft_marks_figure(), context, soft_marks_with(30.0));
  for (const Claim& claim : good.claims) CHECK(claim.verdict == Verdict::holds);
  const FigureReport fair = made_up_report(soft_marks_figure(), context, soft_marks_with(60.0));
  CHECK(claim_of(fair, "soft-marks-quiet-ff-oful").verdict == Verdict::fails);
  CHECK(claim_of(fair, "soft-marks-noisy-ff-oful").verdict == Verdict::holds);
  CHECK(claim_of(fair, "soft-marks-noisy-oful").verdict == Verdict::fails);
  CHECK(claim_of(fair, "soft-marks-quiet-dense").verdict == Verdict::holds);
  const FigureReport bad = made_up_report(soft_marks_figure(), context, soft_marks_with(101.0));
  for (const Claim& claim : bad.claims) CHECK(claim.verdict == Verdict::fails);
}

TEST_CASE("a horizon at which soft marks have more regret is among the numbers") {
  const PaperContext context = tiny_context(128);
  const FigureReport good = made_up_report(horizon_figure(), context, soft_marks_with(99.0));
  CHECK(claim_of(good, "horizon-noise-0.1").verdict == Verdict::holds);
  CHECK(claim_of(good, "horizon-noise-0.1").numbers.size() == 3);  // 32, 64 and 128 rounds
  const FigureReport bad = made_up_report(horizon_figure(), context, soft_marks_with(101.0));
  CHECK(claim_of(bad, "horizon-noise-0.5").verdict == Verdict::fails);
  for (const std::string_view name :
       {"ratio after 32 rounds", "ratio after 64 rounds", "ratio after 128 rounds"})
    CHECK(number_of(claim_of(bad, "horizon-noise-0.5"), name).mean > 1.0);
}

TEST_CASE("a policy that beats soft marks at a value is among the numbers") {
  const PaperContext context = tiny_context(64);
  const FigureReport good = made_up_report(by_parameter("relevant"), context, soft_marks_with(90.0));
  CHECK(claim_of(good, "relevant-soft-marks-unbeaten").verdict == Verdict::holds);
  const FigureReport report = made_up_report(
      by_parameter("relevant"), context, [](const Study& study, const Entrant& entrant, std::int64_t trial) {
        return around(study.name == "at-40" && entrant.name == "thompson" ? 80.0 : 90.0, trial);
      });
  CHECK(claim_of(report, "relevant-soft-marks-unbeaten").verdict == Verdict::fails);
  CHECK(
      number_of(claim_of(report, "relevant-soft-marks-unbeaten"), "thompson minus soft-marks, at 40").mean ==
      doctest::Approx(-10.0));
}

TEST_CASE("studies, entrants and claims beyond the paper have names of their own") {
  const PaperContext context = tiny_context(64);
  std::set<std::string> claims;
  for (const Figure& figure : beyond_programme().figures()) {
    if (figure.needs != PaperData::none) continue;
    CAPTURE(figure.name);
    std::set<std::string> studies;
    for (const Study& study : figure.studies(context)) {
      CHECK(studies.insert(study.name).second);
      std::set<std::string> entrants;
      for (const Entrant& entrant : study.entrants) {
        CHECK(entrants.insert(entrant.name).second);
        std::set<std::string> labels;
        for (const Candidate& candidate : entrant.candidates) CHECK(labels.insert(candidate.label).second);
      }
    }
    for (const Claim& claim : made_up_report(figure, context, soft_marks_with(200.0)).claims) {
      CHECK(claims.insert(claim.id).second);
      CHECK_FALSE(claim.numbers.empty());
    }
  }
}

}  // namespace
}  // namespace inkling::bench
