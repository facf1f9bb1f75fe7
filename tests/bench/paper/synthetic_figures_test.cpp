// Every synthetic figure as a whole, run with few short trials.
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "tests/bench/paper/made_up_results.hpp"

namespace inkling::bench {
namespace {

using test::run_report, test::tiny_context;

std::vector<Figure> synthetic_figures() {
  return {two_stage_figure(),
          pure_exploration_figure(),
          subsets_synthetic_figure(),
          sparse_figure(),
          dense_figure(),
          exploration_probability_figure(),
          epoch_figure(),
          bound_figure(),
          noisy_marks_figure()};
}

/// All that must not depend on the machine: everything except tables, which have times.
std::string figure_bytes(const FigureReport& report) {
  std::string text;
  for (const auto& [name, value] : report.settings) text += fmt::format("{} = {}\n", name, value);
  for (const FigureChart& figure : report.charts) {
    text += fmt::format("{} {}\n", figure.suffix, figure.chart.title);
    for (const Series& series : figure.chart.series) {
      text += series.name + "\n";
      for (const auto* numbers : {&series.x, &series.y, &series.low, &series.high})
        for (const double number : *numbers) text += fmt::format("{} ", number);
    }
  }
  for (const Claim& claim : report.claims) {
    text += fmt::format("{} {} {}\n", claim.id, claim.sentence, verdict_text(claim.verdict));
    for (const auto& [name, value] : claim.numbers) text += fmt::format("{} {} {}\n", name, value.mean, value.standard_error);
  }
  return text;
}

void check_shape(const FigureReport& report) {
  CHECK_FALSE(report.charts.empty());
  CHECK_FALSE(report.claims.empty());
  std::set<std::string> suffixes;
  for (const FigureChart& chart : report.charts) {
    CHECK(suffixes.insert(chart.suffix).second);
    CHECK_FALSE(chart.chart.series.empty());
    for (const Series& series : chart.chart.series) {
      CHECK((series.style == SeriesStyle::reference ? series.y.size() == 1 : series.x.size() == series.y.size()));
      CHECK((series.low.empty() || series.low.size() == series.y.size()));
    }
  }
  CHECK(report.charts.front().suffix.empty());
  for (const FigureTable& table : report.tables)
    for (const std::vector<std::string>& row : table.rows) CHECK(row.size() == table.head.size());
  for (const Claim& claim : report.claims) CHECK((claim.verdict == Verdict::not_comparable || !claim.numbers.empty()));
}

TEST_CASE("every synthetic figure gives the same finite numbers at any number of threads") {
  const PaperContext context = tiny_context(64);
  for (const Figure& figure : synthetic_figures()) {
    CAPTURE(figure.name);
    const FigureReport report = run_report(figure, context, 1);
    check_shape(report);
    const std::string bytes = figure_bytes(report);
    CHECK(bytes.find("nan") == std::string::npos);
    CHECK(bytes.find("inf ") == std::string::npos);
    CHECK(bytes == figure_bytes(run_report(figure, context, 2)));
  }
}

TEST_CASE("a figure can be made of a single trial of a few rounds") {
  PaperContext context = tiny_context(9);
  context.settings.trials = 1;
  context.settings.tuning_trials = 1;
  for (const Figure& figure : synthetic_figures()) {
    CAPTURE(figure.name);
    CHECK_FALSE(run_report(figure, context, 1).claims.empty());
  }
}

}  // namespace
}  // namespace inkling::bench
