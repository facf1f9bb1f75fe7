#include "bench/beyond/figures/one_parameter.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 2048;
constexpr std::int32_t kRelevant = 5;
constexpr double kShareOfTrials = 0.4;
constexpr double kShareOfTuningTrials = 0.4;

/// What one figure changes of the worlds, and nothing else.
struct Parameter {
  std::string_view name;
  std::string_view title;
  std::string_view label;  ///< of the axis
  std::string_view question;
  std::vector<double> values;
  AxisScale scale;
  void (*set)(WorldOptions&, double);
};

Parameter noise() {
  return {"noise",
          "Against the noise",
          "standard deviation of the noise",
          "How does noise weigh on each policy? All are told how much there is.",
          {0.05, 0.1, 0.2, 0.5, 1.0},
          AxisScale::logarithmic,
          [](WorldOptions& options, double value) { options.noise = value; }};
}

Parameter mark_probability() {
  return {"mark-probability",
          "Against how readily people mark",
          "probability of a mark (p)",
          "What if people seldom mark, or always? Policies that look at no marks are level here.",
          {0.01, 0.03, 0.1, 0.3, 1.0},
          AxisScale::logarithmic,
          [](WorldOptions& options, double value) { options.mark_probability = value; }};
}

Parameter documents() {
  return {
      "documents",
      "Against the size of the pool",
      "documents (N)",
      "The more documents, the better the best of them, and the more there are to be mistaken about.",
      {100, 300, 1000, 3000, 10'000},
      AxisScale::logarithmic,
      [](WorldOptions& options, double value) { options.pool.documents = static_cast<std::int32_t>(value); }};
}

Parameter dimension() {
  return {
      "dimension",
      "Against the number of words",
      "features (d)",
      "What does each word that does not matter cost? Five matter, whatever d is.",
      {20, 40, 80, 160, 320},
      AxisScale::logarithmic,
      [](WorldOptions& options, double value) { options.pool.features = static_cast<std::int32_t>(value); }};
}

Parameter relevant() {
  return {"relevant",
          "Against how many words matter",
          "words that matter (k)",
          "Marks say which words matter. What if most do, of 40?",
          {1, 2, 5, 10, 20, 40},
          AxisScale::logarithmic,
          [](WorldOptions& options, double value) { options.relevant = static_cast<std::int32_t>(value); }};
}

Parameter irrelevant_marks() {
  return {"irrelevant-marks",
          "Against marks of words that do not matter",
          "irrelevant words that are marked too (k')",
          "What if people mark words that do not matter, as readily as the 5 of 40 that do?",
          {0, 2, 5, 10, 20, 35},
          AxisScale::linear,
          [](WorldOptions& options, double value) {
            options.feedback = FeedbackKind::noisy;
            options.irrelevant_marks = static_cast<std::int32_t>(value);
          }};
}

WorldOptions options_at(const PaperSettings& settings, const Parameter& parameter, double value) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  parameter.set(options, value);
  return options;
}

std::vector<Study> studies_of(const PaperContext& context, const Parameter& parameter) {
  PaperSettings settings = context.settings;
  settings.trials = share_of_trials(settings.trials, kShareOfTrials);
  settings.tuning_trials = share_of_trials(settings.tuning_trials, kShareOfTuningTrials);
  std::vector<Study> studies;
  for (const double value : parameter.values) {
    const WorldOptions options = options_at(settings, parameter, value);
    Study study = synthetic_study(settings, fmt::format("at-{}", value), options);
    study.entrants = all_policies(settings, entrants_in(settings, options, settings.horizon(kRounds)),
                                  options.pool.features, TuningEffort::fine);
    studies.push_back(std::move(study));
  }
  return studies;
}

LineChart chart_of(const Parameter& parameter, const std::vector<StudyResult>& results) {
  LineChart chart{.title = std::string(parameter.title),
                  .x_label = std::string(parameter.label),
                  .y_label = "regret",
                  .series = {},
                  .x_scale = parameter.scale,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : results[0].entrants) {
    Series series{.name = entrant.entrant.name, .x = {}, .y = {}};
    for (std::size_t n = 0; n < results.size(); ++n) {
      add_point(series, parameter.values[n], results[n].of(entrant.entrant.name).regret());
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// Settings and regret of everybody at every value.
FigureTable table_of(const Parameter& parameter, const std::vector<StudyResult>& results) {
  FigureTable table{.line = "Regret, and the settings that tuning chose",
                    .head = {std::string(parameter.label)},
                    .rows = {}};
  for (const EntrantResult& entrant : results[0].entrants) table.head.push_back(entrant.entrant.name);
  for (std::size_t n = 0; n < results.size(); ++n) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(fmt::format("{:g}", parameter.values[n]));
    for (const EntrantResult& entrant : results[n].entrants) {
      const std::string setting = entrant.tuning ? fmt::format(" ({})", setting_text(entrant)) : "";
      row.push_back(estimate_text(entrant.regret()) + setting);
    }
  }
  return table;
}

/// Whether anybody has clearly less regret than soft marks anywhere; and if so who, where.
Claim unbeaten_claim(const Parameter& parameter, const std::vector<StudyResult>& results) {
  Claim claim{
      .id = fmt::format("{}-soft-marks-unbeaten", parameter.name),
      .sentence = fmt::format("{}: at no value has any other policy clearly less regret than soft marks.",
                              parameter.title),
      .verdict = Verdict::holds,
      .numbers = {}};
  std::vector<std::string> better;
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& soft = results[n].of("soft-marks");
    for (const EntrantResult& other : results[n].entrants) {
      if (!clearly_below(paired_difference(other, soft, final_regret), 0.0)) continue;
      better.push_back(fmt::format("{} at {:g} ({} against {})", other.entrant.name, parameter.values[n],
                                   estimate_text(other.regret()), estimate_text(soft.regret())));
    }
    claim.numbers.push_back({fmt::format("soft-marks over ff-oful at {:g}", parameter.values[n]),
                             paired_ratio(soft, results[n].of("ff-oful"), final_regret)});
  }
  if (!better.empty()) {
    claim.verdict = Verdict::fails;
    claim.why = fmt::format("Better are {}.", fmt::join(better, ", "));
  }
  return claim;
}

std::string ends_text(const Parameter& parameter, const std::vector<StudyResult>& results) {
  const auto at = [&](std::size_t n) {
    const EntrantResult& best = least_regret(results[n]);
    return fmt::format(
        "at {:g} {} has the least, {} (soft-marks {}, ff-oful {}, tuned oful {})", parameter.values[n],
        best.entrant.name, estimate_text(best.regret()), estimate_text(results[n].of("soft-marks").regret()),
        estimate_text(results[n].of("ff-oful").regret()), estimate_text(results[n].of("oful").regret()));
  };
  return fmt::format("{}; {}", at(0), at(results.size() - 1));
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results,
                       const Parameter& parameter) {
  FigureReport report;
  report.paragraph =
      fmt::format("{} Regret after {} rounds: {}.", parameter.question,
                  digit_groups(results[0].of("oful").entrant.options.rounds), ends_text(parameter, results));
  report.settings = synthetic_settings(context, results[0], synthetic_options(context.settings, kRelevant));
  report.settings.emplace_back("what changes", std::string(parameter.label));
  report.settings.emplace_back("method", tuning_method(results[0]));
  report.charts = {{"", chart_of(parameter, results),
                    "Means over trials with 95 % bands; all but ff-oful and "
                    "soft-marks are tuned at each value."}};
  report.tables = {table_of(parameter, results)};
  report.claims = {unbeaten_claim(parameter, results)};
  return report;
}

template <Parameter (*parameter)()>
Figure figure_of() {
  const Parameter changed = parameter();
  return {.name = changed.name,
          .title = changed.title,
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies = [](const PaperContext& context) { return studies_of(context, parameter()); },
          .report =
              [](const PaperContext& context, const std::vector<StudyResult>& results) {
                return report_of(context, results, parameter());
              }};
}

}  // namespace

Figure noise_figure() { return figure_of<noise>(); }
Figure mark_probability_figure() { return figure_of<mark_probability>(); }
Figure documents_figure() { return figure_of<documents>(); }
Figure dimension_figure() { return figure_of<dimension>(); }
Figure relevant_figure() { return figure_of<relevant>(); }
Figure irrelevant_marks_figure() { return figure_of<irrelevant_marks>(); }

}  // namespace inkling::bench
