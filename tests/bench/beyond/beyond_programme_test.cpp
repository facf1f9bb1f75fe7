// The claims of the figure of the paper's worlds, computed from known numbers, and the names of all figures.
#include "bench/beyond/beyond_programme.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include "bench/paper/figures.hpp"
#include "tests/bench/paper/made_up_results.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::bench {
namespace {

using test::around, test::claim_of, test::made_up_report, test::number_of, test::tiny_context;

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

TEST_CASE("studies, entrants and claims of a programme have names of their own") {
  const PaperContext context = tiny_context(64);
  for (const Programme* programme : {&paper_programme(), &beyond_programme()}) {
    std::set<std::string> claims;
    for (const Figure& figure : programme->figures()) {
      if (figure.needs != PaperData::none) continue;
      CAPTURE(figure.name);
      std::set<std::string> studies;
      for (const Study& study : test::studies_of(figure, context)) {
        CHECK(studies.insert(study.name).second);
        std::set<std::string> entrants;
        for (const Entrant& entrant : study.entrants) CHECK(entrants.insert(entrant.name).second);
      }
      for (const Claim& claim : made_up_report(figure, context, inkling_with(200.0)).claims)
        CHECK(claims.insert(claim.id).second);
    }
  }
}

std::string text_of(const Programme& programme, const std::string& name) {
  std::ifstream file(test::tests_path(fmt::format("../bench/report/templates/{}/{}.md", programme.name, name)));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The words after `heading` on each line that begins with it.
std::set<std::string> named_after(std::string_view heading, const std::string& text) {
  std::set<std::string> names;
  const std::string start = fmt::format("\n# {} ", heading);
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
    const std::size_t from = at + start.size();
    names.insert(text.substr(from, text.find('\n', from) - from));
  }
  return names;
}

TEST_CASE("every figure has a text whose headings name its claims and charts, and a page's findings name its figures") {
  for (const Programme* programme : {&paper_programme(), &beyond_programme()}) {
    for (const Figure& figure : programme->figures()) {
      CAPTURE(figure.name);
      const std::string text = text_of(*programme, figure.name);
      CHECK_FALSE(text.empty());
      std::set<std::string> claims;
      for (const ClaimRule& claim : figure.claims) claims.insert(claim.id);
      for (const std::string& id : named_after("why", text)) {
        const auto is_named = [&](const std::string& claim) { return fnmatch(id.c_str(), claim.c_str(), 0) == 0; };
        CHECK(std::ranges::any_of(claims, is_named));
      }
      std::set<std::string> charts;
      for (const ChartRule& chart : figure.charts)
        charts.insert(chart.suffix.empty() ? figure.name : figure.name + "-" + chart.suffix);
      for (const std::string& name : named_after("chart", text)) CHECK(charts.contains(name));
    }
  }

  for (const Programme* programme : {&paper_programme(), &beyond_programme()}) {
    std::set<std::string> figures;
    for (const Figure& figure : programme->figures()) figures.insert(figure.name);
    const std::set<std::string> findings = named_after("finding", text_of(*programme, "page"));
    CHECK_FALSE(findings.empty());
    for (const std::string& name : findings) CHECK(figures.contains(name));
  }
}

}  // namespace
}  // namespace inkling::bench
