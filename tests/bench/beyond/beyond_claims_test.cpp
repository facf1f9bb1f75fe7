// The claims of the figure of the paper's worlds, computed from known numbers, and the names of all figures.
#include <set>
#include <string>

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

/// The policy inkling with this regret, soft-marks with 100 and all others with 200.
test::RegretOf inkling_with(double regret) {
  return [regret](const Study&, const Entrant& entrant, std::int64_t trial) {
    if (entrant.preset.name == "inkling") return around(regret, trial);
    return around(entrant.preset.name == "soft-marks" ? 100.0 : 200.0, trial);
  };
}

TEST_CASE("in the paper's worlds inkling is compared with the best other policy") {
  const PaperContext context = tiny_context(64);
  const FigureReport good = made_up_report(paper_worlds_figure(), context, inkling_with(109.0));
  CHECK(good.claims.size() == 6);
  for (const Claim& claim : good.claims) CHECK(claim.verdict == Verdict::holds);
  const FigureReport bad = made_up_report(paper_worlds_figure(), context, inkling_with(111.0));
  for (const Claim& claim : bad.claims) CHECK(claim.verdict == Verdict::fails);
  CHECK(number_of(claim_of(bad, "paper-worlds-noise-0.5-relevant-40"), "ratio to soft-marks").mean > 1.1);
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
      for (const Entrant& entrant : study.entrants) CHECK(entrants.insert(entrant.name).second);
    }
    for (const Claim& claim : made_up_report(figure, context, inkling_with(200.0)).claims) {
      CHECK(claims.insert(claim.id).second);
      CHECK_FALSE(claim.numbers.empty());
    }
  }
}

}  // namespace
}  // namespace inkling::bench
