// What a scaling study found, in the forms in which people and programs read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "bench/report/machine_facts.hpp"
#include "bench/report/power_law.hpp"
#include "bench/speed/scale_study.hpp"
#include "io/cli/terminal.hpp"

namespace inkling::bench {

/// The points of one axis, in rising order.
struct AxisStudy {
  ScaleAxis axis = ScaleAxis::documents;
  std::vector<MeasuredPoint> points;
};

/// What is fitted and drawn against the axis.
enum class ScaleQuantity { mean_time, median_time, scored };

/// One policy with one scoring over the points of an axis.
struct GrowthCurve {
  Discovery discovery = Discovery::marked;
  Scoring scoring = Scoring::sublinear;
  ScaleQuantity quantity = ScaleQuantity::mean_time;
  std::vector<double> x;
  std::vector<double> y;  ///< microseconds or documents, a round
  std::optional<PowerLaw> law;
};

/// What stands under a chart's axis.
[[nodiscard]] std::string_view axis_label(ScaleAxis axis);

/// Every policy, scoring and quantity, in that order.
[[nodiscard]] std::vector<GrowthCurve> growth_curves(const AxisStudy& study);

/// One line for each cell, with a head.
[[nodiscard]] std::string cells_csv(const AxisStudy& study);
/// One line for each curve of each axis: its exponent.
[[nodiscard]] std::string exponents_csv(const std::vector<AxisStudy>& studies);

/// One chart a policy of what a round costs, and one of the documents that a choice looks at.
struct ScaleChart {
  std::string file;  ///< "scale_documents.svg"
  LineChart chart;
};
[[nodiscard]] std::vector<ScaleChart> scale_charts(const AxisStudy& study);

/// For a terminal: cells and exponents of one axis.
[[nodiscard]] std::string scale_table(const AxisStudy& study, Colour colour);

/// How the study was run, for the page.
struct StudyFacts {
  MachineFacts machine;
  std::string command;  ///< that makes it again
  StudyOptions options;
  bool complete = true;  ///< false where it was interrupted
};

/// The whole in one page of HTML.
[[nodiscard]] std::string scale_page(const std::vector<AxisStudy>& studies, const StudyFacts& facts);

/// Rounds a second, with decimals where there are few: "55,307", "0.23"; "-" for a time of 0.
[[nodiscard]] std::string rate_text(double mean_seconds);

/// "0.31 ± 0.02"; "-" where there is nothing to fit.
[[nodiscard]] std::string exponent_text(const std::optional<PowerLaw>& law);

}  // namespace inkling::bench
