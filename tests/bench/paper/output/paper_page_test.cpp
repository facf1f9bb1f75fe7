#include "bench/paper/output/paper_page.hpp"

#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "tests/bench/paper/output/sample_run.hpp"

namespace inkling::bench {
namespace {

/// What stands between each `before` and the quote that follows.
std::multiset<std::string> quoted_after(std::string_view html, std::string_view before) {
  std::multiset<std::string> found;
  for (std::size_t at = html.find(before); at != std::string_view::npos; at = html.find(before, at + 1)) {
    const std::size_t from = at + before.size();
    found.emplace(html.substr(from, html.find('"', from) - from));
  }
  return found;
}

TEST_CASE("Every link of the page leads to one place on it, and every claim links to its figure") {
  const PaperRun run = sample_run();
  const std::string html = paper_page(run);
  const std::multiset<std::string> anchors = quoted_after(html, " id=\"");
  const std::multiset<std::string> links = quoted_after(html, "href=\"#");
  CHECK(links.size() == quoted_after(html, "href=\"").size());
  for (const std::string& link : links) {
    CAPTURE(link);
    CHECK(anchors.count(link) == 1);
  }
  for (const FigureOutcome& outcome : run.figures) {
    const std::string anchor = "figure-" + std::string(outcome.figure->name);
    CAPTURE(anchor);
    CHECK(links.count(anchor) == 1 + outcome.report.claims.size());
  }
}

TEST_CASE("The page refers to nothing outside it") {
  const std::string html = paper_page(sample_run());
  for (const char* part : {"<script", "src=", "@import", "url(", "href=\"h"}) {
    CAPTURE(part);
    CHECK(html.find(part) == std::string::npos);
  }
}

TEST_CASE("The page says how many claims hold, why others do not, and what was left out") {
  const std::string html = paper_page(sample_run());
  for (const char* part :
       {"✓ 26</b>claims hold", "✗ 1</b>does not hold", "○ 1</b>cannot be compared",
        "With p = 0.3 instead of 0.1 the claim holds.", "2 figures were left out", "Words that people marked",
        "The movie reviews with rationales are not in datasets/movies.",
        "Fetch them as datasets/README.md says", "Some Processor 9000",
        "<pre>inkling-bench paper --out paper", "are in two-stage.csv"}) {
    CAPTURE(part);
    CHECK(html.find(part) != std::string::npos);
  }
  CHECK(html.find("quick run") == std::string::npos);
  CHECK(html.find("nan") == std::string::npos);
}

TEST_CASE("A run under other conditions than the paper's says so at the top") {
  PaperRun run = sample_run();
  run.settings.effort = PaperEffort::quick;
  run.settings.rounds = 12'000;
  const std::string html = paper_page(run);
  CHECK(html.find("This was a quick run") < html.find("All claims"));
  CHECK(html.find("over 12,000 rounds") < html.find("All claims"));
}

TEST_CASE("A table stands open where it says so and behind its line elsewhere") {
  PaperRun run = sample_run();
  run.figures.resize(1);
  FigureReport& report = run.figures.front().report;
  report.tables = {{.line = "behind this line", .head = {"a"}, .rows = {{"1"}}},
                   {.line = "in the open", .head = {"a"}, .rows = {{"2"}}, .view = TableView::open}};
  const std::string html = paper_page(run);
  CHECK(html.find("<summary>behind this line") != std::string::npos);
  CHECK(html.find("<summary>in the open") == std::string::npos);
  CHECK(html.find(">in the open</h3>") != std::string::npos);
}

TEST_CASE("A run of nothing is still a page") {
  const std::string html = paper_page(PaperRun{});
  CHECK(html.find("0 claims") != std::string::npos);
  CHECK(html.find("id=\"left-out\"") == std::string::npos);
  CHECK(html.ends_with("</html>\n"));
}

}  // namespace
}  // namespace inkling::bench
