// Figures in which all policies play: where one setting of the synthetic worlds changes, on real text, and side by
// side, with advice when to use which.
#include <functional>
#include <initializer_list>

#include <fmt/format.h>

#include "bench/beyond/beyond_programme.hpp"
#include "bench/paper/data/newsgroups.hpp"
#include "bench/paper/text_world.hpp"
#include "bench/studies/figure_parts.hpp"

namespace inkling::bench {
namespace {

// One setting changes.

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

std::vector<Study> studies_by_parameter(const Parameter& parameter, const PaperContext& context) {
  constexpr std::int64_t rounds = 2048;
  const PaperSettings settings = fewer_trials(context.settings);
  std::vector<Study> studies;
  for (const double value : parameter.values) {
    WorldOptions options = worlds_at_noise(settings, settings.noise);
    world_setting(parameter.name).set(options, value);
    studies.push_back(rivals_study(settings, fmt::format("at-{}", value), options, rounds, all_policies));
  }
  return studies;
}

LineChart chart_by_parameter(const Parameter& parameter, const Results& results) {
  LineChart chart{.title = parameter.title,
                  .x_label = parameter.label(),
                  .y_label = "regret",
                  .x_scale = parameter.scale,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : results.all().front().entrants) {
    Series& series = chart.series.emplace_back(Series{.name = entrant.entrant.name});
    for (std::size_t n = 0; n < parameter.values.size(); ++n)
      add_point(series, parameter.values[n], results.all()[n].of(entrant.entrant.name).regret());
  }
  return chart;
}

Decision unbeaten_at_all_values(const Parameter& parameter, const Results& results) {
  Decision decision{Verdict::holds, {}};
  for (std::size_t n = 0; n < parameter.values.size(); ++n) {
    const std::string at = fmt::format("at {:g}", parameter.values[n]);
    decision.numbers.push_back({"soft-marks over ff-oful " + at, soft_ratio(results.all()[n], "ff-oful")});
    fail_where_beaten(decision, results.all()[n], at);
  }
  return decision;
}

FigureTable table_by_parameter(const Parameter& parameter, const Results& results) {
  std::vector<std::string> labels;
  labels.reserve(parameter.values.size());
  for (const double value : parameter.values) labels.push_back(fmt::format("{:g}", value));
  return table_by_study(results, "Regret, and the settings that tuning chose", parameter.label(), labels);
}

SettingRows rows_by_parameter(const Parameter& parameter, const Results& results) {
  SettingRows rows = tuning_rows(results);
  rows.emplace_back("what changes, from the first of the values", parameter.label());
  return rows;
}

Figure figure_by(const Parameter& parameter) {
  return {.name = parameter.name,
          .title = parameter.title,
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies = std::bind_front(studies_by_parameter, parameter),
          .charts = {{"", std::bind_front(chart_by_parameter, parameter)}},
          .tables = {{std::bind_front(table_by_parameter, parameter)}},
          .claims = {{parameter.name + "-soft-marks-unbeaten", ClaimBy::ours,
                      parameter.title +
                          ": at no value was another policy found with clearly less regret than soft marks.",
                      std::bind_front(unbeaten_at_all_values, parameter)}},
          .more_settings = std::bind_front(rows_by_parameter, parameter)};
}

// Real text.

std::vector<Study> newsgroups_rivals(const PaperContext& context) {
  constexpr double share_of_all = 0.1;
  const PaperSettings& settings = context.settings;
  Study study = topic_study(context, "main");
  study.trials = share_of_trials(settings.trials, share_of_all);
  study.tuning_trials = 1;
  const EntrantMaker maker = [&](std::string_view preset) { return topic_entrant(context, preset); };
  study.entrants = all_policies(settings, maker, study.features, TuningEffort::coarse);
  study.entrants.push_back(maker("random"));
  return {std::move(study)};
}

std::vector<Study> review_rivals(const PaperContext& context) {
  constexpr double tuning_share = 0.3;
  const PaperSettings fewer = fewer_trials(context.settings, tuning_share);
  Study study = review_study(context);
  study.trials = fewer.trials;
  study.tuning_trials = fewer.tuning_trials;
  study.entrants = all_policies(
      context.settings, [&](std::string_view preset) { return reader_entrant(context, preset); },
      study.features, TuningEffort::fine);
  study.entrants.push_back(reader_entrant(context, "random"));
  return {std::move(study)};
}

/// All but where the figure comes from, and what it needs.
Figure text_figure(std::string name, std::string title, const std::string& study, std::string chart_title,
                   std::string_view where) {
  Figure figure{.name = name,
                .title = std::move(title),
                .charts = {regret_curves("", std::move(chart_title), study)},
                .tables = {outcomes(study)},
                .more_settings = tuning_rows};
  for (const std::string_view rival :
       std::initializer_list<std::string_view>{"ff-oful", "oful", kNarrowOful, "random"}) {
    figure.claims.push_back(less_regret(fmt::format("{}-soft-marks-beat-{}", name, rival), ClaimBy::ours,
                                        fmt::format("Soft marks have less regret than {}{} {}.",
                                                    rival == "oful" ? "tuned " : "", rival, where),
                                        {study, "soft-marks"}, {study, std::string(rival)}));
  }
  figure.claims.push_back(unbeaten(
      name + "-soft-marks-unbeaten",
      fmt::format("No policy was found with clearly less regret than soft marks {}.", where), study));
  return figure;
}

// Which to use.

/// What no number tells.
struct Advice {
  std::string_view preset;
  std::string_view needs;
  std::string_view when;
};

constexpr Advice kAdvice[] = {
    {"soft-marks", "R and S; nothing to tune", "people may mark words, and no guarantee is needed"},
    {"ff-oful", "R and S; nothing to tune",
     "a proof is needed, or a round must take microseconds in a large pool"},
    {kNarrowOful, "R and S; nothing to tune", "nobody marks words, and no guarantee is needed"},
    {"oful", "R, S and a ridge", "nobody marks words, and a guarantee is needed"},
    {"ff-thompson", "R and a ridge", "as ff-oful, when the same model should make varied choices"},
    {"thompson", "R and a ridge", "as oful-narrow, when the same model should make varied choices"},
    {"oful-sketched", "R, S, a ridge and a size", "a matrix of all words or all rounds does not fit"},
    {"oful-projected", "R, S, a ridge and a size", "as oful-sketched, when memory matters more than regret"},
    {"lasso-bandit", "a scale", "R and S are unknown, and nobody marks words"}};

FigureTable advice_table(const Results& results) {
  FigureTable table{
      .line = "Regret and cost of all, and which to use when",
      .head = {"policy", "use it when", "is told", "regret, noise 0.1", "regret, noise 0.5", "µs a round"},
      .first_number = 3,
      .view = TableView::open};
  constexpr double micro = 1e6;
  for (const Advice& advice : kAdvice) {
    const EntrantResult& quiet = results.all()[0].of(advice.preset);
    const EntrantResult& noisy = results.all()[1].of(advice.preset);
    const auto rounds = static_cast<double>(noisy.entrant.rounds);
    table.rows.push_back({std::string(advice.preset), std::string(advice.when), std::string(advice.needs),
                          estimate_text(quiet.regret()), estimate_text(noisy.regret()),
                          fmt::format("{:.0f}", micro * noisy.decision_seconds().mean / rounds)});
  }
  return table;
}

}  // namespace

std::vector<Figure> one_parameter_figures() {
  std::vector<Figure> figures;
  for (const Parameter& parameter : parameters()) figures.push_back(figure_by(parameter));
  return figures;
}

Figure text_newsgroups_figure() {
  Figure figure =
      text_figure("text-newsgroups", "20 Newsgroups in all words", "main",
                  "20 Newsgroups in all words, each message once", "on 20 Newsgroups in all words");
  figure.paper_place = "Beyond the paper: all policies at d = 47,757";
  figure.needs = PaperData::newsgroups;
  figure.studies = newsgroups_rivals;
  return figure;
}

Figure text_reviews_figure() {
  Figure figure = text_figure("text-reviews", "People's own marks", "reviews",
                              "Film reviews, what people highlighted is marked",
                              "on film reviews with people's highlights");
  figure.paper_place = "Beyond the paper: all policies on its human feedback";
  figure.needs = PaperData::movies;
  figure.studies = review_rivals;
  return figure;
}

Figure which_to_use_figure() {
  constexpr std::int64_t rounds = 2048;
  Figure figure{.name = "which-to-use",
                .title = "Which to use",
                .paper_place = "Beyond the paper: all policies side by side",
                .studies =
                    [](const PaperContext& context) {
                      return studies_at_noises(fewer_trials(context.settings), rounds, all_policies);
                    },
                .tables = {{advice_table}},
                .more_settings = noise_rows};
  for (const double noise : kNoises) {
    const std::string study = noise_name(noise);
    figure.charts.push_back(regret_curves(noise == kNoises[0] ? "" : "noisy",
                                          fmt::format("All policies, noise {}", noise), study));
    figure.tables.push_back(outcomes(study, fmt::format("Noise {}", noise)));
    figure.claims.push_back(unbeaten(
        "which-least-" + study,
        fmt::format("At noise {} no policy was found with clearly less regret than soft marks.", noise),
        study));
  }
  return figure;
}

}  // namespace inkling::bench
