// One setting of the synthetic worlds changes, and all policies play at each of its values.
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/beyond/rivals.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/synthetic_study.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRoundsByParameter = 2048;

/// The setting of the worlds that one figure changes.
struct Parameter {
  std::string name;
  std::string title;
  std::vector<double> values;
  AxisScale scale = AxisScale::logarithmic;

  [[nodiscard]] std::string label() const { return std::string(world_setting(name).label); }
};

std::vector<Parameter> parameters() {
  return {{"noise", "Against the noise", {0.05, 0.1, 0.2, 0.5, 1.0}},
          {"mark-probability", "Against how often people mark", {0.01, 0.03, 0.1, 0.3, 1.0}},
          {"documents", "Against the size of the pool", {100, 300, 1000, 3000, 10'000}},
          {"dimension", "Against the number of words", {20, 40, 80, 160, 320}},
          {"relevant", "Against how many words matter", {1, 2, 5, 10, 20, 40}},
          {"irrelevant-marks",
           "Against marks of words that do not matter",
           {0, 2, 5, 10, 20, 35},
           AxisScale::linear}};
}

std::vector<Study> studies_by_parameter(const PaperSettings& all, const Parameter& parameter) {
  const PaperSettings settings = fewer_trials(all);
  std::vector<Study> studies;
  for (const double value : parameter.values) {
    WorldOptions options = worlds_at_noise(settings, settings.noise);
    world_setting(parameter.name).set(options, value);
    studies.push_back(
        rivals_study(settings, fmt::format("at-{}", value), options, kRoundsByParameter, all_policies));
  }
  return studies;
}

LineChart chart_by_parameter(const Results& results, const Parameter& parameter) {
  LineChart chart{.title = parameter.title,
                  .x_label = parameter.label(),
                  .y_label = "regret",
                  .series = {},
                  .x_scale = parameter.scale,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : results.all().front().entrants) {
    Series& series = chart.series.emplace_back(Series{.name = entrant.entrant.name, .x = {}, .y = {}});
    for (std::size_t n = 0; n < parameter.values.size(); ++n)
      add_point(series, parameter.values[n], results.all()[n].of(entrant.entrant.name).regret());
  }
  return chart;
}

Decision unbeaten_at_all_values(const Results& results, const Parameter& parameter) {
  Decision decision{Verdict::holds, {}};
  for (std::size_t n = 0; n < parameter.values.size(); ++n) {
    const std::string at = fmt::format("at {:g}", parameter.values[n]);
    decision.numbers.push_back({"soft-marks over ff-oful " + at, soft_ratio(results.all()[n], "ff-oful")});
    fail_where_beaten(decision, results.all()[n], at);
  }
  return decision;
}

Figure figure_by(const Parameter& parameter) {
  return {.name = parameter.name,
          .title = parameter.title,
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies =
              [parameter](const PaperContext& context) {
                return studies_by_parameter(context.settings, parameter);
              },
          .charts = {{"", [parameter](
                              const Results& results) { return chart_by_parameter(results, parameter); }}},
          .tables = {{[parameter](const Results& results) {
            std::vector<std::string> labels;
            labels.reserve(parameter.values.size());
            for (const double value : parameter.values) labels.push_back(fmt::format("{:g}", value));
            return table_by_study(results, "Regret, and the settings that tuning chose", parameter.label(),
                                  labels);
          }}},
          .claims = {{.id = parameter.name + "-soft-marks-unbeaten",
                      .whose = ClaimBy::ours,
                      .sentence = fmt::format("{}: at no value was another policy found with clearly less "
                                              "regret than soft marks.",
                                              parameter.title),
                      .decide =
                          [parameter](const Results& results) {
                            return unbeaten_at_all_values(results, parameter);
                          }}},
          .more_settings =
              [parameter](const Results& results) {
                SettingRows rows = tuning_rows(results);
                rows.emplace_back("what changes, from the first of the values", parameter.label());
                return rows;
              }};
}

}  // namespace

std::vector<Figure> one_parameter_figures() {
  std::vector<Figure> figures;
  for (const Parameter& parameter : parameters()) figures.push_back(figure_by(parameter));
  return figures;
}

}  // namespace inkling::bench
