#include "bench/speed/scale_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "io/cli/byte_size.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr double kMicro = 1e6;
constexpr std::array kQuantities = {ScaleQuantity::mean_time, ScaleQuantity::median_time,
                                    ScaleQuantity::scored};

std::string_view quantity_name(ScaleQuantity quantity) {
  switch (quantity) {
    case ScaleQuantity::mean_time:
      return "mean_microseconds";
    case ScaleQuantity::median_time:
      return "median_microseconds";
    case ScaleQuantity::scored:
      break;
  }
  return "documents_scored";
}

double value_of(const ScaleCell& cell, ScaleQuantity quantity) {
  switch (quantity) {
    case ScaleQuantity::mean_time:
      return cell.times.mean * kMicro;
    case ScaleQuantity::median_time:
      return cell.times.median * kMicro;
    case ScaleQuantity::scored:
      break;
  }
  return cell.scored_a_round;
}

GrowthCurve curve_of(const AxisStudy& study, Discovery discovery, Scoring scoring, ScaleQuantity quantity) {
  GrowthCurve curve{discovery, scoring, quantity, {}, {}, std::nullopt};
  for (const MeasuredPoint& measured : study.points) {
    for (const ScaleCell& cell : measured.cells) {
      if (cell.discovery != discovery || cell.scoring != scoring) continue;
      curve.x.push_back(static_cast<double>(value_at(measured.point, study.axis)));
      curve.y.push_back(value_of(cell, quantity));
    }
  }
  curve.law = fit_power_law(curve.x, curve.y);
  return curve;
}

std::string csv_number(const std::optional<double>& number) {
  return number ? fmt::format("{:.6g}", *number) : "";
}

template <typename Number>
std::string csv_number(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string cell_line(const MeasuredPoint& measured, const ScaleCell& cell) {
  const ScalePoint& point = measured.point;
  std::string line = fmt::format(
      "{},{},{},{},{},{},{},{},{},", name_of(measured.axis), value_at(point, measured.axis), point.documents,
      point.features, point.relevant, point.tokens, point.threads, measured.nonzeros, measured.pool_bytes);
  line += fmt::format("{},{},{},{},{:.4f},{:.4f},{:.6g},{:.6g},{},{:.4f},", name_of(cell.discovery),
                      scoring_name(cell.scoring), cell.rounds, cell.times.count, cell.times.median * kMicro,
                      cell.times.mean * kMicro, cell.times.mean > 0.0 ? 1.0 / cell.times.mean : 0.0,
                      cell.scored_a_round, cell.features_found, cell.setup_seconds * 1e3);
  const std::optional<std::int64_t> checked =
      cell.check ? std::optional(cell.check->differences) : std::nullopt;
  return line + fmt::format("{},{},{}\n", csv_number(cell.peak_bytes), csv_number(cell.differences),
                            csv_number(checked));
}

LineChart time_chart(const AxisStudy& study, const std::vector<GrowthCurve>& curves, Discovery discovery) {
  LineChart chart{.title = discovery == Discovery::marked ? "ff-oful: features marked on the way"
                                                          : "oful-subset: all features from the start",
                  .x_label = std::string(axis_label(study.axis)),
                  .y_label = "microseconds a round, choosing and learning (mean)",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const GrowthCurve& curve : curves) {
    if (curve.discovery != discovery || curve.quantity != ScaleQuantity::mean_time) continue;
    chart.series.push_back({.name = std::string(scoring_name(curve.scoring)), .x = curve.x, .y = curve.y});
  }
  return chart;
}

LineChart scored_chart(const AxisStudy& study, const std::vector<GrowthCurve>& curves) {
  LineChart chart{.title = "Documents scored to choose one",
                  .x_label = std::string(axis_label(study.axis)),
                  .y_label = "documents a round (mean)",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const GrowthCurve& curve : curves) {
    if (curve.quantity != ScaleQuantity::scored) continue;
    if (curve.scoring == Scoring::rescoring) continue;  // as many as running
    if (curve.scoring == Scoring::running && curve.discovery == Discovery::given) continue;
    const bool all = curve.scoring == Scoring::running;
    chart.series.push_back(
        {.name = all ? "full scan" : std::string(name_of(curve.discovery)), .x = curve.x, .y = curve.y});
  }
  return chart;
}

std::string point_line(const MeasuredPoint& measured, const Style& style) {
  const ScalePoint& point = measured.point;
  return style.bold(
             fmt::format("{} = {}", name_of(measured.axis), digit_groups(value_at(point, measured.axis)))) +
         style.dim(fmt::format(
             "   {} documents x {} features, {:.0f} nnz a row, {} relevant, {} thread{}, pool {} made in "
             "{:.1f} s",
             digit_groups(point.documents), digit_groups(point.features),
             static_cast<double>(measured.nonzeros) / point.documents, point.relevant, point.threads,
             point.threads == 1 ? "" : "s", byte_size_text(measured.pool_bytes), measured.pool_seconds)) +
         "\n";
}

std::string choices_text(const ScaleCell& cell) {
  std::string text = cell.differences ? fmt::format("{}", *cell.differences) : "";
  if (cell.check) text += fmt::format("{} of {} (scan)", cell.check->differences, cell.check->compared);
  return text;
}

std::string table_line(const ScaleCell& cell) {
  return fmt::format("  {:<12} {:<10} {:>6} {:>12.2f} {:>12.2f} {:>12} {:>12.0f} {:>6} {:>8}  {}\n",
                     name_of(cell.discovery), scoring_name(cell.scoring), cell.times.count,
                     cell.times.median * kMicro, cell.times.mean * kMicro, rate_text(cell.times.mean),
                     cell.scored_a_round, cell.features_found,
                     cell.peak_bytes ? byte_size_text(*cell.peak_bytes) : "-", choices_text(cell));
}

}  // namespace

std::string_view axis_label(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return "documents in the pool";
    case ScaleAxis::features:
      return "features of the pool";
    case ScaleAxis::relevant:
      return "relevant features";
    case ScaleAxis::length:
      return "words a document";
    case ScaleAxis::threads:
      return "threads";
    case ScaleAxis::rounds:
      break;
  }
  return "rounds played";
}

std::vector<GrowthCurve> growth_curves(const AxisStudy& study) {
  std::vector<GrowthCurve> curves;
  for (const Discovery discovery : kDiscoveries) {
    for (const Scoring scoring : kMeasuredScorings) {
      for (const ScaleQuantity quantity : kQuantities) {
        curves.push_back(curve_of(study, discovery, scoring, quantity));
      }
    }
  }
  return curves;
}

std::string cells_csv(const AxisStudy& study) {
  std::string csv =
      "axis,value,documents,features,relevant,tokens,threads,nonzeros,pool_bytes,policy,scoring,rounds,"
      "rounds_timed,median_microseconds,mean_microseconds,rounds_per_second,documents_scored,features_found,"
      "setup_milliseconds,peak_bytes,choices_unlike_sublinear,choices_unlike_full_scan\n";
  for (const MeasuredPoint& measured : study.points) {
    for (const ScaleCell& cell : measured.cells) csv += cell_line(measured, cell);
  }
  return csv;
}

std::string exponents_csv(const std::vector<AxisStudy>& studies) {
  std::string csv = "axis,policy,scoring,quantity,points,exponent,standard_error\n";
  for (const AxisStudy& study : studies) {
    for (const GrowthCurve& curve : growth_curves(study)) {
      if (!curve.law) continue;
      csv += fmt::format("{},{},{},{},{},{:.6g},{}\n", name_of(study.axis), name_of(curve.discovery),
                         scoring_name(curve.scoring), quantity_name(curve.quantity), curve.law->points,
                         curve.law->exponent, csv_number(curve.law->standard_error));
    }
  }
  return csv;
}

std::vector<ScaleChart> scale_charts(const AxisStudy& study) {
  const std::vector<GrowthCurve> curves = growth_curves(study);
  const std::string_view axis = name_of(study.axis);
  return {{fmt::format("scale_{}.svg", axis), time_chart(study, curves, Discovery::marked)},
          {fmt::format("scale_{}_given.svg", axis), time_chart(study, curves, Discovery::given)},
          {fmt::format("scale_{}_scored.svg", axis), scored_chart(study, curves)}};
}

std::string rate_text(double mean_seconds) {
  if (mean_seconds <= 0.0) return "-";
  constexpr double few = 10.0;
  const double rate = 1.0 / mean_seconds;
  return rate < few ? fmt::format("{:.2f}", rate) : digit_groups(std::llround(rate));
}

std::string exponent_text(const std::optional<PowerLaw>& law) {
  if (!law) return "-";
  return law->standard_error ? fmt::format("{:.2f} ± {:.2f}", law->exponent, *law->standard_error)
                             : fmt::format("{:.2f}", law->exponent);
}

std::string scale_table(const AxisStudy& study, Colour colour) {
  const Style style(colour);
  std::string text =
      fmt::format("  {:<12} {:<10} {:>6} {:>12} {:>12} {:>12} {:>12} {:>6} {:>8}  {}\n", "policy", "scoring",
                  "timed", "median us", "mean us", "rounds/s", "scored", "found", "memory", "other choices");
  for (const MeasuredPoint& measured : study.points) {
    text += point_line(measured, style);
    for (const ScaleCell& cell : measured.cells) text += table_line(cell);
  }
  text += style.bold(fmt::format("A round grows with {} to the power of", name_of(study.axis))) + "\n";
  for (const GrowthCurve& curve : growth_curves(study)) {
    if (curve.quantity == ScaleQuantity::mean_time)
      text += fmt::format("  {:<12} {:<10} {:>14} of the mean,", name_of(curve.discovery),
                          scoring_name(curve.scoring), exponent_text(curve.law));
    if (curve.quantity == ScaleQuantity::median_time)
      text += fmt::format(" {:>14} of the median\n", exponent_text(curve.law));
  }
  return text;
}

}  // namespace inkling::bench
