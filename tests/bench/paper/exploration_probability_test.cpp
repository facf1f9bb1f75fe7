#include <cmath>

#include <doctest/doctest.h>

#include "bench/paper/figures.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("the probabilities of a random play are those computed by hand") {
  const Figure figure = exploration_probability_figure();
  const PaperContext context;
  CHECK_FALSE(figure.studies);
  const FigureReport report = report_of(figure, Results(context, {}));
  const std::vector<Series>& series = report.charts.front().chart.series;
  REQUIRE(series.size() == 3);
  REQUIRE(series[0].y.size() == 4096);
  const double plain[] = {1.0, 1.0 / std::sqrt(2.0), 1.0 / std::sqrt(3.0), 0.5};
  const double epochs[] = {1.0, 1.0 / std::sqrt(2.0), 1.0 / std::sqrt(2.0), 0.5};
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK(series[0].x[n] == static_cast<double>(n + 1));
    CHECK(series[0].y[n] == doctest::Approx(plain[n]));
    CHECK(series[1].y[n] == doctest::Approx(epochs[n]));
  }
  CHECK(series[0].y.back() == 1.0 / 64.0);
  CHECK(series[2].y[6] == 1.0);  // sqrt(2 ln 20 / 4) is above 1
  CHECK(series[2].y[7] == doctest::Approx(2.4477468 / std::sqrt(8.0)));
  CHECK(report.claims.front().verdict == Verdict::holds);
}

}  // namespace
}  // namespace inkling::bench
