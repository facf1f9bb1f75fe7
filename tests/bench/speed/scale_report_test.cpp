#include "bench/speed/scale_report.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <doctest/doctest.h>

#include "engine/policy/policy_settings.hpp"
#include "tests/support/engine/messages.hpp"

namespace inkling::bench {
namespace {

/// A study in which sublinear rounds grow as the square root of the documents and the others as the documents;
/// the last point of running scores bends.
AxisStudy invented_study() {
  AxisStudy study{ScaleAxis::documents, {}};
  for (const std::int32_t documents : {100, 1000, 10'000}) {
    MeasuredPoint measured{.point = {.documents = documents}};
    for (const Discovery discovery : kDiscoveries) {
      for (const Scoring scoring : kMeasuredScorings) {
        ScaleCell cell{{.discovery = discovery, .scoring = scoring}, 50};
        const double size = scoring == Scoring::sublinear ? std::sqrt(documents) : documents;
        const double bend = scoring == Scoring::running && documents == 10'000 ? 3.0 : 1.0;
        cell.times = {50, 1e-6 * size, 2e-6 * size * bend};
        cell.fastest_mean = 0.9 * cell.times.mean;
        cell.slowest_mean = 1.5 * cell.times.mean;
        cell.scored_a_round = size;
        if (scoring != Scoring::sublinear) cell.differences = 0;
        measured.cells.push_back(cell);
      }
    }
    study.points.push_back(measured);
  }
  return study;
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

TEST_CASE("a curve has an exponent for each step and one law only where it does not bend") {
  for (const ScaleQuantity quantity : {ScaleQuantity::mean_time, ScaleQuantity::scored}) {
    const std::vector<GrowthCurve> curves = growth_curves(invented_study(), quantity);
    CHECK(curves.size() == 6);
    for (const GrowthCurve& curve : curves) {
      CAPTURE(scoring_name(curve.scoring));
      const double expected = curve.scoring == Scoring::sublinear ? 0.5 : 1.0;
      const std::vector<double> local = curve.local_exponents();
      REQUIRE(local.size() == 2);
      CHECK(local[0] == doctest::Approx(expected));
      const bool bends = curve.scoring == Scoring::running && quantity == ScaleQuantity::mean_time;
      CHECK(local[1] == doctest::Approx(expected + (bends ? std::log10(3.0) : 0.0)));
      CHECK(curve.law().has_value() != bends);
      if (!bends) CHECK(curve.law()->exponent == doctest::Approx(expected));
    }
  }
  CHECK(GrowthCurve{}.local_exponents().empty());
  CHECK_FALSE(GrowthCurve{}.law().has_value());
}

TEST_CASE("a rate has decimals where it is low") {
  CHECK(rate_text(1e-5) == "100,000");
  CHECK(rate_text(4.0) == "0.25");
  CHECK(rate_text(0.0) == "-");
}

TEST_CASE("the lines of a CSV have as many fields as its head") {
  const AxisStudy study = invented_study();
  const std::string cells = cells_csv(study);
  const std::string charts = charts_csv(study);
  CHECK(lines_of(cells) == 1 + 3 * 6);
  CHECK(lines_of(charts) == 1 + 9 * 3);
  for (const std::string& csv : {cells, charts}) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const auto commas = std::ranges::count(line, ',');
    while (std::getline(lines, line)) CHECK(std::ranges::count(line, ',') == commas);
  }
}

TEST_CASE("charts show the range of the runs and the summary names each chart, table and setting") {
  const AxisStudy study = invented_study();
  const std::vector<NamedChart> charts = scale_charts(study);
  REQUIRE(charts.size() == 3);
  for (const auto& [name, chart] : charts) {
    CHECK(chart.series.size() == 3);
    for (const Series& series : chart.series) CHECK(series.low.size() == (name == "documents-scored" ? 0 : 3));
  }
  StudyFacts facts{.machine = {}, .command = "inkling-bench scale --axis documents", .options = {}};
  const std::string summary = scale_summary({study}, facts);
  for (const char* part :
       {R"("summary_version":2,"programme":"scale")", R"("name":"documents-given")", R"("csv":"charts_documents.csv")",
        R"("other choices":"0")", R"("repeats":3)", R"(["ff-oful","sublinear","0.50","0.50","0.50 ± 0.00"])",
        R"(["ff-oful","running","1.00","1.48",""])", "inkling-bench scale --axis documents"}) {
    CAPTURE(part);
    CHECK(summary.find(part) != std::string::npos);
  }
  CHECK(summary.find("interrupted") == std::string::npos);
  facts.complete = false;
  CHECK(scale_summary({}, facts).find("interrupted") != std::string::npos);
}

TEST_CASE("the terminal shows each cell and its growth") {
  const std::string table = scale_table(invented_study(), Colour::off);
  test::check_holds(table, {"documents = 10,000", "sublinear   0.50  0.50   one law: 0.50 ± 0.00\n", "running     1.00  1.48\n"});
  CHECK(table.find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace inkling::bench
