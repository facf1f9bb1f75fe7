#include "bench/speed/scale_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/report/report.hpp"
#include "engine/policy/policy_settings.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/wording/byte_size.hpp"

namespace inkling::bench {
namespace {

constexpr EnumName<ScaleAxis> kAxisLabels[] = {{ScaleAxis::documents, "documents in the pool"},
                                               {ScaleAxis::features, "features of the pool"},
                                               {ScaleAxis::relevant, "relevant features"},
                                               {ScaleAxis::length, "words a document"},
                                               {ScaleAxis::threads, "threads"},
                                               {ScaleAxis::rounds, "rounds played"}};

/// The largest difference between local exponents of a curve that is called a power law.
constexpr double kMostBend = 0.2;

double value_of(const ScaleCell& cell, ScaleQuantity quantity) {
  return quantity == ScaleQuantity::scored ? cell.scored_a_round : kMicroseconds * cell.times.mean;
}

GrowthCurve curve_of(const AxisStudy& study, Discovery discovery, Scoring scoring, ScaleQuantity quantity) {
  GrowthCurve curve{.discovery = discovery, .scoring = scoring};
  for (const MeasuredPoint& measured : study.points) {
    for (const ScaleCell& cell : measured.cells) {
      if (cell.discovery != discovery || cell.scoring != scoring) continue;
      curve.x.push_back(static_cast<double>(measured.point.at(study.axis)));
      curve.y.push_back(value_of(cell, quantity));
      if (quantity != ScaleQuantity::mean_time) continue;
      curve.low.push_back(cell.fastest_mean * kMicroseconds);
      curve.high.push_back(cell.slowest_mean * kMicroseconds);
    }
  }
  return curve;
}

template <typename Number>
std::string number_or_nothing(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string cell_line(ScaleAxis axis, const MeasuredPoint& measured, const ScaleCell& cell) {
  const ScalePoint& point = measured.point;
  std::string line =
      fmt::format("{},{},{},{},{},{},{},{},{},", name_of(axis, kScaleAxes), point.at(axis), point.documents, point.features,
                  point.relevant, point.tokens, point.threads, measured.nonzeros, measured.pool_bytes);
  line += fmt::format("{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.6g},{:.6g},{},{:.4f},", name_of(cell.discovery),
                      scoring_name(cell.scoring), cell.rounds, cell.times.count, cell.times.median * kMicroseconds,
                      cell.times.mean * kMicroseconds, cell.fastest_mean * kMicroseconds, cell.slowest_mean * kMicroseconds,
                      cell.times.mean > 0.0 ? 1.0 / cell.times.mean : 0.0, cell.scored_a_round, cell.features_found,
                      cell.setup_seconds * 1e3);
  const auto checked = cell.check ? std::optional(cell.check->differences) : std::nullopt;
  return line + fmt::format("{},{},{}\n", number_or_nothing(cell.peak_bytes), number_or_nothing(cell.differences),
                            number_or_nothing(checked));
}

LineChart scale_chart(const AxisStudy& study, std::string_view title, std::string_view y_label) {
  return {.title = std::string(title),
          .x_label = std::string(name_of(study.axis, kAxisLabels)),
          .y_label = std::string(y_label),
          .series = {},
          .x_scale = AxisScale::logarithmic,
          .y_scale = AxisScale::logarithmic,
          .points = PointMarks::dots};
}

LineChart time_chart(const AxisStudy& study, Discovery discovery) {
  LineChart chart = scale_chart(
      study, discovery == Discovery::marked ? "ff-oful: features marked on the way" : "oful-subset: all features from the start",
      "microseconds a round (mean)");
  for (const GrowthCurve& curve : growth_curves(study, ScaleQuantity::mean_time)) {
    if (curve.discovery != discovery) continue;
    chart.series.push_back({std::string(scoring_name(curve.scoring)), curve.x, curve.y, curve.low, curve.high});
  }
  return chart;
}

LineChart scored_chart(const AxisStudy& study) {
  LineChart chart = scale_chart(study, "Documents scored to choose one", "documents a round (mean)");
  for (const GrowthCurve& curve : growth_curves(study, ScaleQuantity::scored)) {
    if (curve.scoring == Scoring::sublinear)
      chart.series.push_back({.name = std::string(name_of(curve.discovery)), .x = curve.x, .y = curve.y});
    if (curve.scoring == Scoring::running && curve.discovery == Discovery::marked)
      chart.series.push_back({.name = "full scan", .x = curve.x, .y = curve.y, .role = "reference"});
  }
  return chart;
}

std::string point_line(ScaleAxis axis, const MeasuredPoint& measured, const Style& style) {
  const ScalePoint& point = measured.point;
  return style.bold(fmt::format("{} = {}", name_of(axis, kScaleAxes), digit_groups(point.at(axis)))) +
         style.dim(fmt::format("   {} documents x {} features, {:.0f} non-zeros a row, {} relevant, {} thread{}, pool {} made "
                               "in {:.1f} s",
                               digit_groups(point.documents), digit_groups(point.features),
                               static_cast<double>(measured.nonzeros) / static_cast<double>(point.documents), point.relevant,
                               point.threads, point.threads == 1 ? "" : "s", byte_size_text(measured.pool_bytes),
                               measured.pool_seconds)) +
         "\n";
}

/// One cell as people read it, in the order of `kCellHead`.
constexpr std::string_view kCellHead[] = {"policy",         "scoring",     "rounds timed", "median µs",
                                          "mean µs",        "of all runs", "rounds/s",     "scored a round",
                                          "features found", "memory",      "other choices"};
std::vector<std::string> cell_texts(const ScaleCell& cell) {
  std::string choices = number_or_nothing(cell.differences);
  if (cell.check) choices += fmt::format("{} of {} (full scan)", cell.check->differences, cell.check->compared);
  return {std::string(name_of(cell.discovery)),
          std::string(scoring_name(cell.scoring)),
          fmt::format("{}", cell.times.count),
          fmt::format("{:.2f}", cell.times.median * kMicroseconds),
          fmt::format("{:.2f}", cell.times.mean * kMicroseconds),
          fmt::format("{:.1f}-{:.1f}", cell.fastest_mean * kMicroseconds, cell.slowest_mean * kMicroseconds),
          rate_text(cell.times.mean),
          fmt::format("{:.0f}", cell.scored_a_round),
          fmt::format("{}", cell.features_found),
          cell.peak_bytes ? byte_size_text(*cell.peak_bytes) : "-",
          choices};
}

std::string table_line(const std::vector<std::string>& texts) {
  return fmt::format("  {:<12} {:<10} {:>12} {:>10} {:>10} {:>17} {:>9} {:>14} {:>14} {:>8}  {}\n", texts[0], texts[1], texts[2],
                     texts[3], texts[4], texts[5], texts[6], texts[7], texts[8], texts[9], texts[10]);
}

std::string law_text(const GrowthCurve& curve) {
  const std::optional<PowerLaw> law = curve.law();
  if (!law) return "";
  return law->standard_error ? fmt::format("{:.2f} ± {:.2f}", law->exponent, *law->standard_error)
                             : fmt::format("{:.2f}", law->exponent);
}

FigureTable cells_table(const AxisStudy& study) {
  FigureTable table{.line = "All that was measured", .head = {std::string(name_of(study.axis, kAxisLabels))}, .first_number = 3};
  table.head.insert(table.head.end(), std::begin(kCellHead), std::end(kCellHead));
  for (const MeasuredPoint& measured : study.points) {
    for (const ScaleCell& cell : measured.cells) {
      std::vector<std::string>& row = table.rows.emplace_back(cell_texts(cell));
      row.insert(row.begin(), digit_groups(measured.point.at(study.axis)));
    }
  }
  return table;
}

FigureTable exponents_table(const AxisStudy& study) {
  FigureTable table{.line = "The power by which the mean round grows from each size to the next",
                    .head = {"policy", "scoring"},
                    .first_number = 2,
                    .view = TableView::open};
  for (std::size_t n = 1; n < study.points.size(); ++n)
    table.head.push_back("to " + digit_groups(study.points[n].point.at(study.axis)));
  table.head.emplace_back("one law");
  for (const GrowthCurve& curve : growth_curves(study, ScaleQuantity::mean_time)) {
    auto& row = table.rows.emplace_back();
    row = {std::string(name_of(curve.discovery)), std::string(scoring_name(curve.scoring))};
    for (const double exponent : curve.local_exponents()) row.push_back(fmt::format("{:.2f}", exponent));
    row.push_back(law_text(curve));
  }
  return table;
}

/// The settings that are the same along the axis.
SettingRows fixed_settings(const AxisStudy& study) {
  SettingRows settings;
  for (const auto& [axis, label] : kAxisLabels)
    if (axis != study.axis) settings.emplace_back(label, digit_groups(study.points.back().point.at(axis)));
  return settings;
}

std::string_view text_of(ScaleAxis axis) {
  switch (axis) {
    case ScaleAxis::documents:
      return "A full scan looks at every document in every round: ten times the documents take ten times as long. The sublinear "
             "choice "
             "bounds how far any score can have moved, and looks only at documents that could still win.";
    case ScaleAxis::features:
      return "The vocabulary grows, and as many words matter as before. No matrix here has a row for every word, so a round "
             "should cost "
             "the same however many words there are.";
    case ScaleAxis::relevant:
      return "More words matter. The model is a square matrix of them: learning a reward costs its square, and so does a "
             "triangular "
             "solve, which the plain way makes for each document.";
    case ScaleAxis::length:
      return "Documents become longer. The relevant words are still held by the same shares of the documents, so a document has "
             "about "
             "as many of them as before; all its other words should cost a round nothing.";
    case ScaleAxis::threads:
      return "The same round on more threads. Running scores share the documents out; a sublinear round mostly has too little "
             "work to "
             "share. The plain way is written for one thread.";
    case ScaleAxis::rounds:
      return "The longer a search runs, the more documents are played. The model does not grow with them, so a round should cost "
             "the "
             "same at the end as at the beginning. Where features are found on the way, early rounds are cheap.";
  }
  return "";
}

void write_axis(JsonWriter& json, const AxisStudy& study) {
  json.begin_object().member("name", name_of(study.axis, kScaleAxes));
  json.member("title", fmt::format("Against {}", name_of(study.axis, kAxisLabels)));
  json.member("csv", charts_file(study.axis));
  json.member("text", text_of(study.axis));
  write_pairs(json, "settings", fixed_settings(study));
  json.key("charts").begin_array();
  for (const auto& [name, chart] : scale_charts(study)) write_chart(json, name, chart);
  json.end_array();
  std::vector<FigureTable> tables = {cells_table(study)};
  if (study.points.size() > 1) tables.insert(tables.begin(), exponents_table(study));
  write_tables(json, tables);
  json.end_object();
}

std::string introduction(const StudyFacts& facts, const ChoiceCheck& choices) {
  const std::string differences = choices.differences == 0
                                      ? "none chose another document"
                                      : fmt::format("{} chose another document", digit_groups(choices.differences));
  return fmt::format(
      R"(A round is one choice among all documents that remain, and one reward learned. Each section makes one thing larger and keeps the
rest. Both axes are logarithmic, and lower lines are faster; the shaded band reaches from the fastest to the slowest of {} runs.

- *sublinear* scores only documents that could win and bounds the others;
- *running* keeps every document's score exact by one sparse product for each reward;
- *rescoring* is the plain way: a triangular solve for every document in every round.

All three are exact: they choose the same document. In {} comparisons, {}.

Pools look like text: words by Zipf's law with exponent 1.07, log-normal lengths, TF-IDF rows of unit length. The relevant features are
drawn among those that {:g} % to {:g} % of the documents hold. Each document has one reward, 10 x·θ plus noise of 0.1, and is shown once.
A mean counts everything, also the rare rounds that renew what the others use. Rescoring is timed in rounds spread evenly over the run;
the tables say how many. Memory is the peak of the process, with the pool.

The tables give the power by which a mean round grows from each size to the next: with 1 it doubles when what grows doubles, with 0 it
stays. One power for a whole curve is given only where these powers are within 0.2 of each other.)",
      facts.options.repeats, digit_groups(choices.compared), differences, 100.0 * facts.options.frequency.low,
      100.0 * facts.options.frequency.high);
}

/// How many choices were compared, with those of the sublinear scoring or with a full scan, and how many differ.
ChoiceCheck compared_choices(const std::vector<AxisStudy>& studies) {
  ChoiceCheck choices;
  for (const AxisStudy& study : studies) {
    for (const MeasuredPoint& measured : study.points) {
      for (const ScaleCell& cell : measured.cells) {
        const ChoiceCheck check = cell.check.value_or(ChoiceCheck{});
        choices.differences += cell.differences.value_or(0) + check.differences;
        choices.compared += check.compared;
        if (cell.differences) choices.compared += cell.scoring == Scoring::running ? cell.rounds : cell.times.count;
      }
    }
  }
  return choices;
}

}  // namespace

std::vector<double> GrowthCurve::local_exponents() const {
  std::vector<double> exponents;
  for (std::size_t n = 1; n < x.size(); ++n) exponents.push_back(std::log(y[n] / y[n - 1]) / std::log(x[n] / x[n - 1]));
  return exponents;
}

std::optional<PowerLaw> GrowthCurve::law() const {
  const std::vector<double> exponents = local_exponents();
  if (exponents.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(exponents);
  return most - least <= kMostBend ? fit_power_law(x, y) : std::nullopt;
}

std::vector<GrowthCurve> growth_curves(const AxisStudy& study, ScaleQuantity quantity) {
  std::vector<GrowthCurve> curves;
  for (const Discovery discovery : kDiscoveries)
    for (const Scoring scoring : kMeasuredScorings) curves.push_back(curve_of(study, discovery, scoring, quantity));
  return curves;
}

std::string cells_csv(const AxisStudy& study) {
  std::string csv =
      "axis,value,documents,features,relevant,tokens,threads,nonzeros,pool_bytes,policy,scoring,rounds,"
      "rounds_timed,median_microseconds,mean_microseconds,mean_of_fastest_run,mean_of_slowest_run,"
      "rounds_per_second,documents_scored,features_found,setup_milliseconds,peak_bytes,"
      "choices_unlike_sublinear,choices_unlike_full_scan\n";
  for (const MeasuredPoint& measured : study.points)
    for (const ScaleCell& cell : measured.cells) csv += cell_line(study.axis, measured, cell);
  return csv;
}

std::vector<NamedChart> scale_charts(const AxisStudy& study) {
  const std::string axis(name_of(study.axis, kScaleAxes));
  return {{axis, time_chart(study, Discovery::marked)},
          {axis + "-given", time_chart(study, Discovery::given)},
          {axis + "-scored", scored_chart(study)}};
}

std::string charts_file(ScaleAxis axis) { return fmt::format("charts_{}.csv", name_of(axis, kScaleAxes)); }

std::string charts_csv(const AxisStudy& study) {
  std::string csv(kChartCsvHead);
  for (const auto& [name, chart] : scale_charts(study)) csv += chart_csv(name, chart);
  return csv;
}

std::string rate_text(double mean_seconds) {
  if (mean_seconds <= 0.0) return "-";
  constexpr double few = 10.0;
  const double rate = 1.0 / mean_seconds;
  return rate < few ? fmt::format("{:.2f}", rate) : digit_groups(std::llround(rate));
}

std::string scale_table(const AxisStudy& study, Colour colour) {
  const Style style(colour);
  std::string text = table_line({std::begin(kCellHead), std::end(kCellHead)});
  for (const MeasuredPoint& measured : study.points) {
    text += point_line(study.axis, measured, style);
    for (const ScaleCell& cell : measured.cells) text += table_line(cell_texts(cell));
  }
  if (study.points.size() < 2) return text;
  text += style.bold(fmt::format("From one size to the next, the mean round grows with {} to the power of",
                                 name_of(study.axis, kScaleAxes))) +
          "\n";
  for (const GrowthCurve& curve : growth_curves(study, ScaleQuantity::mean_time)) {
    const std::string law = law_text(curve);
    text += fmt::format("  {:<12} {:<10}{:>6.2f}{}\n", name_of(curve.discovery), scoring_name(curve.scoring),
                        fmt::join(curve.local_exponents(), ""), law.empty() ? "" : "   one law: " + law);
  }
  return text;
}

std::string scale_summary(const std::vector<AxisStudy>& studies, const StudyFacts& facts,
                          const std::function<void(JsonWriter&)>& more) {
  const ChoiceCheck choices = compared_choices(studies);
  JsonWriter json;
  json.begin_object().member("summary_version", 2).member("programme", "scale");
  json.member("title", facts.complete ? "How a round of Inkling scales" : "How a round of Inkling scales (interrupted)");
  json.member("introduction", introduction(facts, choices))
      .member("command", facts.command)
      .member("program_version", program_version);
  json.member("commit", source_commit());
  json.member("facts", fmt::format("middle of {} runs, bands from the fastest to the slowest; seed {}", facts.options.repeats,
                                   facts.options.seed));
  json.member("seconds", facts.seconds).key("settings").begin_object();
  json.member("seed", facts.options.seed).member("repeats", facts.options.repeats);
  json.member("choices compared", digit_groups(choices.compared));
  json.member("other choices", digit_groups(choices.differences)).end_object();
  write_pairs(json, "machine", facts.machine);
  json.key("figures").begin_array();
  for (const AxisStudy& study : studies) write_axis(json, study);
  if (more) more(json);
  return json.end_array().end_object().take();
}

}  // namespace inkling::bench
