// The texts of all figures, in bench/report/templates, name only claims, charts and figures that exist.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/paper/figures.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::bench {
namespace {

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

TEST_CASE("every figure has a text, and its headings name claims and charts of the figure") {
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
}

TEST_CASE("the findings at the top of a page name figures on that page") {
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
