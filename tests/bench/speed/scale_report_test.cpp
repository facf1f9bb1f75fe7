#include "bench/speed/scale_report.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace inkling::bench {
namespace {

/// A study whose sublinear rounds grow as the square root and whose others grow as documents do.
AxisStudy invented_study() {
  AxisStudy study{ScaleAxis::documents, {}};
  for (const std::int32_t documents : {100, 1000, 10'000}) {
    MeasuredPoint measured{.axis = ScaleAxis::documents, .point = {.documents = documents}};
    for (const Discovery discovery : kDiscoveries) {
      for (const Scoring scoring : kMeasuredScorings) {
        ScaleCell cell{.discovery = discovery, .scoring = scoring, .rounds = 50};
        const double size = scoring == Scoring::sublinear ? std::sqrt(documents) : documents;
        cell.times = {50, 1e-6 * size, 2e-6 * size};
        cell.scored_a_round = size;
        if (scoring != Scoring::sublinear) cell.differences = 0;
        measured.cells.push_back(cell);
      }
    }
    study.points.push_back(measured);
  }
  return study;
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

TEST_CASE("Every curve has its exponent") {
  const std::vector<GrowthCurve> curves = growth_curves(invented_study());
  CHECK(curves.size() == 18);
  for (const GrowthCurve& curve : curves) {
    REQUIRE(curve.law);
    CHECK(curve.law->exponent == doctest::Approx(curve.scoring == Scoring::sublinear ? 0.5 : 1.0));
  }
  CHECK(exponent_text(curves.front().law) == "0.50 ± 0.00");
  CHECK(exponent_text(std::nullopt) == "-");
  CHECK(rate_text(1e-5) == "100,000");
  CHECK(rate_text(4.0) == "0.25");
  CHECK(rate_text(0.0) == "-");
}

TEST_CASE("The lines of a CSV have as many fields as its head") {
  const AxisStudy study = invented_study();
  const std::string cells = cells_csv(study);
  const std::string exponents = exponents_csv({study});
  CHECK(lines_of(cells) == 1 + 3 * 6);
  CHECK(lines_of(exponents) == 1 + 18);
  for (const std::string& csv : {cells, exponents}) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const auto commas = std::ranges::count(line, ',');
    while (std::getline(lines, line)) CHECK(std::ranges::count(line, ',') == commas);
  }
  CHECK(exponents.find("documents,ff-oful,sublinear,mean_microseconds,3,0.5,") != std::string::npos);
}

TEST_CASE("Charts and page hold every curve and say what it means") {
  const AxisStudy study = invented_study();
  const std::vector<ScaleChart> charts = scale_charts(study);
  REQUIRE(charts.size() == 3);
  CHECK(charts[0].file == "scale_documents.svg");
  for (const ScaleChart& chart : charts) CHECK(chart.chart.series.size() == 3);
  StudyFacts facts{.machine = {}, .command = "inkling-bench scale --axis documents", .options = {}};
  const std::string page = scale_page({study}, facts);
  for (const char* part : {"Against documents in the pool", "0.50 ± 0.00", "none chose another document",
                           "inkling-bench scale --axis documents", "The machine"}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
  CHECK(page.find("interrupted") == std::string::npos);
  facts.complete = false;
  CHECK(scale_page({}, facts).find("interrupted") != std::string::npos);
}

TEST_CASE("The terminal shows each cell and each exponent") {
  const std::string table = scale_table(invented_study(), Colour::off);
  CHECK(table.find("documents = 10,000") != std::string::npos);
  CHECK(table.find("0.50 ± 0.00 of the mean") != std::string::npos);
  CHECK(table.find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace inkling::bench
