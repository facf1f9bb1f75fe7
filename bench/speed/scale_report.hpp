// The results of a scaling study, for people and for programs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/report/line_chart.hpp"
#include "bench/report/machine_facts.hpp"
#include "bench/report/power_law.hpp"
#include "bench/speed/scale_study.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling::bench {

/// The points of one axis, in rising order.
struct AxisStudy {
  ScaleAxis axis = ScaleAxis::documents;
  std::vector<MeasuredPoint> points;
};

/// What is drawn against the axis.
enum class ScaleQuantity { mean_time, scored };

/// One policy with one scoring over the points of an axis.
struct GrowthCurve {
  Discovery discovery = Discovery::marked;
  Scoring scoring = Scoring::sublinear;
  std::vector<double> x = {};
  std::vector<double> y = {};     ///< microseconds or documents, a round
  std::vector<double> low = {};   ///< of the fastest run; only of mean times, as `high`
  std::vector<double> high = {};  ///< of the slowest run

  /// The power by which y grows from each point to the next.
  [[nodiscard]] std::vector<double> local_exponents() const;
  /// One law for the whole curve, or nothing if the local exponents are too far apart for one.
  [[nodiscard]] std::optional<PowerLaw> law() const;
};

/// The curves of every policy and scoring, in that order.
[[nodiscard]] std::vector<GrowthCurve> growth_curves(const AxisStudy& study, ScaleQuantity quantity);

/// One line for each cell, with a head.
[[nodiscard]] std::string cells_csv(const AxisStudy& study);

/// A name and a chart: the cost of a round for each policy, and how many documents a choice scores.
using NamedChart = std::pair<std::string, LineChart>;
[[nodiscard]] std::vector<NamedChart> scale_charts(const AxisStudy& study);

/// For a terminal: the cells of one axis and how they grow.
[[nodiscard]] std::string scale_table(const AxisStudy& study, Colour colour);

/// How the study was run.
struct StudyFacts {
  MachineFacts machine;
  std::string command;  ///< that makes it again
  StudyOptions options;
  double seconds = 0.0;
  bool complete = true;  ///< false if it was interrupted
};

/// summary.json as bench/report/ reads it, and each axis's CSV of charts, named as there. `more`, if set, writes further
/// figures.
[[nodiscard]] std::string scale_summary(const std::vector<AxisStudy>& studies, const StudyFacts& facts,
                                        const std::function<void(JsonWriter&)>& more = {});
[[nodiscard]] std::string charts_file(ScaleAxis axis);
[[nodiscard]] std::string charts_csv(const AxisStudy& study);

/// Rounds a second, with decimals where there are few: "55,307", "0.23"; "-" for a time of 0.
[[nodiscard]] std::string rate_text(double mean_seconds);

}  // namespace inkling::bench
