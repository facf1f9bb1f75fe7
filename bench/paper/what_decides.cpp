// FF-OFUL against tuned OFUL around the sparse experiment: one setting changes at a time. what-decides
// changes the world; sweep changes what the paper leaves open.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kDuelRounds = 4096;
constexpr std::int32_t kDuelRelevant = 5;

/// Both in such worlds, told the true noise. OFUL is tuned at small cost, so that many settings can be tried.
Study duel_study(const PaperSettings& settings, std::string name, const WorldOptions& options,
                 std::int64_t rounds) {
  constexpr double tuning_share = 0.4;
  Study study = synthetic_study(settings, std::move(name), options);
  study.tuning_trials = share_of_trials(settings.tuning_trials, tuning_share);
  study.entrants = {entrant_of(settings, "ff-oful", rounds, options.noise),
                    tuned(entrant_of(settings, "oful", rounds, options.noise), settings.ridges(2))};
  return study;
}

SettingRows duel_rows(const Results& results) {
  const Study& study = results.all().front().study;
  return {{"ridges tried for oful", fmt::format("{}", study.entrants[1].candidates.size())}};
}

/// A value of a setting, as its factor or itself, and who played there.
struct Duel {
  double x = 0.0;
  std::string label;  ///< of the value, in tables
  Place marked;
  Place oful;
};
using Duels = std::vector<Duel>;

Estimate duel_ratio(const Results& results, const Duel& duel) {
  return regret_ratio(duel.marked, duel.oful)(results);
}

Series duel_series(const Results& results, std::string name, const Duels& duels) {
  Series series{.name = std::move(name)};
  for (const Duel& duel : duels) add_point(series, duel.x, duel_ratio(results, duel));
  return series;
}

LineChart duel_chart(std::string title, std::string x_label, std::vector<Series> ratios) {
  ratios.push_back({.name = "the same regret as oful", .x = {}, .y = {1.0}, .style = SeriesStyle::reference});
  return {.title = std::move(title),
          .x_label = std::move(x_label),
          .y_label = "regret of ff-oful over that of tuned oful",
          .series = std::move(ratios),
          .x_scale = AxisScale::logarithmic,
          .points = PointMarks::dots};
}

FigureTable duel_table(const Results& results, std::string line, std::string label, const Duels& duels) {
  FigureTable table{
      .line = std::move(line),
      .head = {std::move(label), "ridge of oful", "regret of oful", "regret of ff-oful", "ratio"}};
  for (const Duel& duel : duels) {
    const EntrantResult& oful = results.at(duel.oful);
    table.rows.push_back({duel.label, setting_text(oful), estimate_text(oful.regret()),
                          estimate_text(results.at(duel.marked).regret()),
                          estimate_text(duel_ratio(results, duel))});
  }
  return table;
}

std::vector<Measurement> duel_numbers(const Results& results, const std::string& name, const Duels& duels) {
  std::vector<Measurement> numbers;
  for (const Duel& duel : duels) numbers.push_back({name + duel.label, duel_ratio(results, duel)});
  return numbers;
}

// what-decides

/// One setting of the worlds that varies while the others stay as in `sparse`, the centre of all axes.
struct VariedSetting {
  std::string name;  ///< of the setting, and of its chart and studies
  std::string title;
  std::vector<double> values;   ///< ascending
  bool of_marks_alone = false;  ///< nothing to OFUL, which plays in the centre only

  [[nodiscard]] std::string label() const { return std::string(world_setting(name).label); }
};

std::vector<VariedSetting> varied_settings() {
  return {{"noise", "Noise of the rewards", {0.05, 0.1, 0.2, 0.5, 1.0, 2.0}},
          {"mark-probability", "How readily words are marked", {0.02, 0.05, 0.1, 0.2, 0.5, 1.0}, true},
          {"documents", "Size of the pool", {100, 300, 1000, 3000, 10'000}},
          {"relevant", "Words that matter, of 40", {1, 2, 5, 10, 20, 40}}};
}

/// At every value of a setting, the centre's among them.
Duels duels_along(const PaperSettings& settings, const VariedSetting& varied) {
  const double centre = world_setting(varied.name).get(synthetic_options(settings, kDuelRelevant));
  Duels duels = {{centre, fmt::format("{}", centre), {"centre", "ff-oful"}, {"centre", "oful"}}};
  for (const double value : varied.values) {
    if (value == centre) continue;
    const std::string study = fmt::format("{}-{}", varied.name, value);
    const std::string study_of_oful = varied.of_marks_alone ? "centre" : study;
    duels.push_back({value, fmt::format("{}", value), {study, "ff-oful"}, {study_of_oful, "oful"}});
  }
  std::ranges::sort(duels, {}, &Duel::x);
  return duels;
}

std::vector<Study> what_decides_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const std::int64_t rounds = settings.horizon(kDuelRounds);
  const WorldOptions centre = synthetic_options(settings, kDuelRelevant);
  std::vector<Study> studies = {duel_study(settings, "centre", centre, rounds)};
  for (const VariedSetting& varied : varied_settings()) {
    for (const Duel& duel : duels_along(settings, varied)) {
      if (duel.marked.study == "centre") continue;
      WorldOptions options = centre;
      world_setting(varied.name).set(options, duel.x);
      studies.push_back(duel_study(settings, duel.marked.study, options, rounds));
      if (varied.of_marks_alone) studies.back().entrants.pop_back();
    }
  }
  return studies;
}

/// That marks help much where k is much less than d, and less where it is not.
Decision advantage_shrinks(const Results& results) {
  Decision decision{Verdict::fails, duel_numbers(results, "ratio of the regrets at k = ",
                                                 duels_along(results.settings(), varied_settings().back()))};
  const Estimate& fewest = decision.numbers.front().value;
  const Estimate& most = decision.numbers.back().value;
  const Estimate difference{most.mean - fewest.mean, std::hypot(most.standard_error, fewest.standard_error)};
  if (clearly_above(difference, 0.0)) decision.verdict = Verdict::holds;
  return decision;
}

// sweep

/// All that the sparse experiment leaves open.
struct OpenSettings {
  PaperSettings settings;
  double told_noise = 0.0;
  double told_norm = 0.0;
  std::int64_t rounds = 0;
  double tuning = 1.0;  ///< times the tuning trials
};

std::int64_t scaled(std::int64_t number, double factor) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(number) * factor));
}

/// One of them, times several factors.
struct OpenSetting {
  std::string name;
  std::vector<double> factors;  ///< 1 is the default
  /// Makes it as many times as large, and answers what it then is.
  double (*scale)(OpenSettings&, double factor);
};

std::vector<OpenSetting> open_settings() {
  return {{"noise",
           {0.2, 0.5, 1.0, 2.0},
           [](OpenSettings& open, double factor) {
             open.told_noise *= factor;
             return open.settings.noise *= factor;
           }},
          {"noise told (R)",
           {0.2, 0.5, 1.0, 2.0},
           [](OpenSettings& open, double factor) { return open.told_noise *= factor; }},
          {"norm bound told (S)",
           {0.5, 1.0, 2.0, 4.0},
           [](OpenSettings& open, double factor) { return open.told_norm *= factor; }},
          {"delta",
           {0.01, 0.1, 1.0, 5.0},
           [](OpenSettings& open, double factor) {
             if (factor != 1.0) open.settings.delta = std::min(0.9, open.settings.delta * factor);
             return open.settings.delta;
           }},
          {"words a document",
           {0.25, 0.5, 1.0, 2.0, 4.0},
           [](OpenSettings& open, double factor) {
             open.settings.words = static_cast<std::int32_t>(scaled(open.settings.words, factor));
             return static_cast<double>(open.settings.words);
           }},
          {"rounds",
           {0.0625, 0.25, 1.0, 4.0},
           [](OpenSettings& open, double factor) {
             if (factor != 1.0) open.rounds = std::max<std::int64_t>(16, scaled(open.rounds, factor));
             return static_cast<double>(open.rounds);
           }},
          {"tuning trials", {0.25, 1.0, 4.0}, [](OpenSettings& open, double factor) {
             return open.tuning = factor;
           }}};
}

Study open_study(const OpenSettings& open, std::string name) {
  Study study = duel_study(open.settings, std::move(name), synthetic_options(open.settings, kDuelRelevant),
                           open.rounds);
  study.tuning_trials = scaled(study.tuning_trials, open.tuning);
  for (Entrant& entrant : study.entrants) {
    entrant.options.confidence.noise = open.told_noise;
    entrant.options.confidence.norm_bound = open.told_norm;
  }
  return study;
}

/// What a sweep changes, and the studies and the duels that follow from it. Study 0 has the defaults; the
/// others follow setting by setting, factor by factor.
struct SweepPlan {
  std::vector<Study> studies;
  std::vector<Duels> duels;  ///< by open setting, in order of factor
};

SweepPlan sweep_plan(const PaperSettings& settings) {
  const OpenSettings defaults = {settings, settings.noise, settings.norm_bound,
                                 settings.horizon(kDuelRounds)};
  SweepPlan plan{{open_study(defaults, "defaults")}, {}};
  for (const OpenSetting& setting : open_settings()) {
    Duels& duels = plan.duels.emplace_back();
    for (const double factor : setting.factors) {
      OpenSettings open = defaults;
      const std::string label = fmt::format("{} = {:g}", setting.name, setting.scale(open, factor));
      const std::string study = factor == 1.0 ? "defaults" : fmt::format("open-{}", plan.studies.size());
      if (factor != 1.0) plan.studies.push_back(open_study(open, study));
      duels.push_back({factor, label, {study, "ff-oful"}, {study, "oful"}});
    }
  }
  return plan;
}

LineChart sweep_chart(const Results& results) {
  const SweepPlan plan = sweep_plan(results.settings());
  const std::vector<OpenSetting> settings = open_settings();
  std::vector<Series> lines;
  for (std::size_t n = 0; n < settings.size(); ++n)
    lines.push_back(duel_series(results, settings[n].name, plan.duels[n]));
  return duel_chart("What the paper leaves open", "times the default", std::move(lines));
}

/// Of all settings, one after the other.
Duels sweep_duels(const Results& results) {
  Duels all;
  for (const Duels& duels : sweep_plan(results.settings()).duels)
    all.insert(all.end(), duels.begin(), duels.end());
  return all;
}

FigureTable sweep_table(const Results& results) {
  return duel_table(results, "The sparse experiment with one open setting changed at a time", "setting",
                    sweep_duels(results));
}

Decision below_everywhere(const Results& results) {
  std::vector<Measurement> ratios = duel_numbers(results, "ratio at ", sweep_duels(results));
  const bool below =
      std::ranges::all_of(ratios, [](const Measurement& ratio) { return clearly_below(ratio.value, 1.0); });
  return {below ? Verdict::holds : Verdict::fails, std::move(ratios)};
}

}  // namespace

std::optional<double> crossing_of_one(std::span<const double> x, std::span<const double> y) {
  for (std::size_t n = 1; n < x.size(); ++n) {
    const double before = y[n - 1] - 1.0;
    const double after = y[n] - 1.0;
    if ((before < 0.0) == (after < 0.0) || !(x[n - 1] > 0.0)) continue;
    const double share = before / (before - after);
    return x[n - 1] * exponential(share * natural_log(x[n] / x[n - 1]));
  }
  return std::nullopt;
}

Figure what_decides_figure() {
  Figure figure{.name = "what-decides",
                .title = "What decides whether marks help",
                .paper_place =
                    "Not in the paper: around the synthetic "
                    "experiment with sparse theta*",
                .studies = what_decides_studies,
                .claims = {{"advantage-shrinks-with-k", ClaimBy::ours,
                            "FF-OFUL's advantage over tuned OFUL is greater "
                            "where 1 of the 40 words matters "
                            "than where all do.",
                            advantage_shrinks}},
                .more_settings = duel_rows};
  for (const VariedSetting& varied : varied_settings()) {
    const auto series = [varied](const Results& results) {
      return duel_series(results, "ff-oful over oful", duels_along(results.settings(), varied));
    };
    figure.charts.push_back(
        {figure.charts.empty() ? "" : varied.name, [varied, series](const Results& results) {
           return duel_chart(varied.title, varied.label(), {series(results)});
         }});
    figure.tables.push_back({[varied](const Results& results) {
      return duel_table(results, varied.title, varied.label(), duels_along(results.settings(), varied));
    }});
    // Not a number where the line does not cross 1.
    figure.facts.push_back(
        {varied.label() + " at which both have the same regret", [series](const Results& results) {
           const Series line = series(results);
           constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
           return Estimate{crossing_of_one(line.x, line.y).value_or(nowhere), 0.0};
         }});
  }
  return figure;
}

Figure sweep_figure() {
  return {.name = "sweep",
          .title = "What the paper leaves open",
          .paper_place =
              "Not in the paper: around the synthetic experiment "
              "with sparse theta*",
          .studies = [](const PaperContext& context) { return sweep_plan(context.settings).studies; },
          .charts = {{"", sweep_chart}},
          .tables = {{sweep_table}},
          .claims = {{"sparse-whatever-is-left-open", ClaimBy::ours,
                      "FF-OFUL has less regret than tuned OFUL in the sparse "
                      "experiment whatever is chosen "
                      "for what the paper leaves open.",
                      below_everywhere}},
          .more_settings = duel_rows};
}

}  // namespace inkling::bench
