// FF-OFUL's regret beside the bound of Theorem 2, as the horizon and the number of relevant words grow.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/paper/bound_theory.hpp"
#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kLongestHorizon = 16384;
constexpr std::int64_t kRoundsByRelevant = 4096;
constexpr std::int64_t kShortestHorizon = 8;
constexpr std::int32_t kBoundRelevant = 5;
constexpr std::int32_t kRelevantCounts[] = {1, 2, 5, 10, 20, 40};
constexpr double kSquareRoot = 0.65;  // an exponent of 1/2, plus what logarithms may add
constexpr int kOctavesAtOnce = 5;
constexpr int kOctavesFoundEarly = 3;  // every word is found by round T/8

/// 2^6 ... 2^14; another longest horizon is halved as often.
std::vector<std::int64_t> horizons(const PaperSettings& settings) {
  constexpr int most = 9;
  std::vector<std::int64_t> horizons;
  for (std::int64_t rounds = settings.horizon(kLongestHorizon); horizons.size() < most; rounds /= 2) {
    if (rounds < kShortestHorizon && !horizons.empty()) break;
    horizons.push_back(std::max(rounds, kShortestHorizon));
  }
  std::ranges::reverse(horizons);
  return horizons;
}

std::string study_with(std::int32_t relevant) { return fmt::format("relevant-{}", relevant); }

std::vector<Study> bound_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const auto marked = [&](std::int64_t rounds) { return entrant_of(settings, "ff-oful", rounds, settings.noise); };
  // FF-OFUL does not know its horizon: a shorter run is the beginning of a longer one.
  Study by_horizon = synthetic_study(settings, "horizons", synthetic_options(settings, kBoundRelevant));
  for (const std::int64_t rounds : horizons(settings)) {
    by_horizon.entrants.push_back(marked(rounds));
    by_horizon.entrants.back().name = fmt::format("T = {}", rounds);
  }
  WorldOptions always_marked = synthetic_options(settings, kBoundRelevant);
  always_marked.mark_probability = 1.0;
  Study at_once = synthetic_study(settings, "marked-at-once", always_marked);
  at_once.entrants = {marked(horizons(settings).back())};
  std::vector<Study> studies = {std::move(by_horizon), std::move(at_once)};
  for (const std::int32_t relevant : kRelevantCounts) {
    studies.push_back(synthetic_study(settings, study_with(relevant), synthetic_options(settings, relevant)));
    studies.back().entrants = {marked(std::max(kShortestHorizon, settings.horizon(kRoundsByRelevant)))};
  }
  return studies;
}

/// A measured mean beside its bound.
struct BoundPoint {
  double x;  ///< T or k
  Estimate regret;
  double share_below;  ///< share of trials with a regret below the bound
  BoundSetting setting;
  RegretBound bound;
};

BoundPoint bound_point(double x, const EntrantResult& result, std::int32_t relevant, double discovery) {
  const Entrant& entrant = result.entrant;
  BoundPoint point{.x = x,
                   .regret = result.regret(),
                   .share_below = 0.0,
                   .setting = {.rounds = static_cast<double>(entrant.rounds),
                               .relevant = static_cast<double>(relevant),
                               .discovery = discovery,
                               .confidence = entrant.options.confidence,
                               .ridge = entrant.options.ridge},
                   .bound = {}};
  point.bound = regret_bound(point.setting);
  point.share_below = estimate_over_trials(result, [&](const TrialResult& trial) {
                        return trial.regret <= point.bound.total() ? 1.0 : 0.0;
                      }).mean;
  return point;
}

using BoundPoints = std::vector<BoundPoint>;

/// The bound, its three terms, and the largest regret of any policy.
std::array<double, 5> computed(const BoundPoint& point) {
  return {point.bound.total(), point.bound.finding, point.bound.exploring, point.bound.optimism, worst_regret(point.setting)};
}

BoundPoints points_by_horizon(const Results& results) {
  const StudyResult& result = results.study("horizons");
  const double discovery = least_discovery(result.study);
  BoundPoints points;
  for (const EntrantResult& entrant : result.entrants)
    points.push_back(bound_point(static_cast<double>(entrant.entrant.rounds), entrant, kBoundRelevant, discovery));
  return points;
}

BoundPoints points_by_relevant(const Results& results) {
  BoundPoints points;
  for (const std::int32_t relevant : kRelevantCounts) {
    const StudyResult& result = results.study(study_with(relevant));
    points.push_back(bound_point(relevant, result.entrants.front(), relevant, least_discovery(result.study)));
  }
  return points;
}

Octaves octaves_at_once(const Results& results) { return octaves_of(results.at({"marked-at-once", "ff-oful"}), kOctavesAtOnce); }

Octaves octaves_found_early(const Results& results) {
  return octaves_of(results.study("horizons").entrants.back(), kOctavesFoundEarly);
}

/// Groups the regrets at all k by the number of the trial, so that the error comes from leaving out one trial number at a time.
Estimate exponent_of_relevant(const Results& results) {
  std::vector<double> counts;
  std::vector<std::vector<double>> by_trial;
  for (const std::int32_t relevant : kRelevantCounts) {
    const EntrantResult& result = results.at({study_with(relevant), "ff-oful"});
    counts.push_back(relevant);
    by_trial.resize(result.trials.size());
    for (std::size_t trial = 0; trial < by_trial.size(); ++trial) by_trial[trial].push_back(result.trials[trial].regret);
  }
  return growth_exponent(counts, by_trial);
}

// Charts and tables.

ChartRule bound_chart(std::string suffix, const std::string& title, const std::string& x_label,
                      BoundPoints (*points_of)(const Results&)) {
  return {std::move(suffix), [=](const Results& results) {
            LineChart chart{.title = title,
                            .x_label = x_label,
                            .y_label = "regret",
                            .series = {{.name = "ff-oful, measured"},
                                       {.name = "Theorem 2"},
                                       {.name = "1: finding every word"},
                                       {.name = "2: random rounds"},
                                       {.name = "3: OFUL on k words"},
                                       {.name = "2 S L T"}},
                            .x_scale = AxisScale::logarithmic,
                            .y_scale = AxisScale::logarithmic,
                            .points = PointMarks::dots};
            for (const BoundPoint& point : points_of(results)) {
              add_point(chart.series[0], point.x, point.regret);
              for (std::size_t n = 1; n < chart.series.size(); ++n) {
                chart.series[n].x.push_back(point.x);
                chart.series[n].y.push_back(computed(point)[n - 1]);
              }
            }
            return chart;
          }};
}

TableRule bound_table(const std::string& line, const std::string& name, BoundPoints (*points_of)(const Results&)) {
  return {[=](const Results& results) {
    FigureTable table{.line = line, .head = {name, "regret", "Theorem 2", "finding", "random rounds", "OFUL", "2 S L T"}};
    const auto whole = [](double number) { return digit_groups(std::llround(number)); };
    for (const BoundPoint& point : points_of(results)) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row = {whole(point.x), estimate_text(point.regret)};
      for (const double number : computed(point)) row.push_back(whole(number));
    }
    return table;
  }};
}

Series octave_line(std::string name, const Octaves& octaves) {
  Series series{.name = std::move(name)};
  for (std::size_t n = 0; n < octaves.start.size() && !octaves.by_trial.empty(); ++n) {
    std::vector<double> regrets;
    regrets.reserve(octaves.by_trial.size());
    for (const std::vector<double>& trial : octaves.by_trial) regrets.push_back(trial[n]);
    add_point(series, octaves.start[n], estimate_of(regrets));
  }
  return series;
}

LineChart octave_chart(const Results& results) {
  return {.title = "Regret of an octave of rounds, once every word is marked",
          .x_label = "round in which the octave begins",
          .y_label = "regret of the octave",
          .series = {octave_line("p = 1", octaves_at_once(results)),
                     octave_line(fmt::format("p = {}, all found by T/8", results.settings().mark_probability),
                                 octaves_found_early(results))},
          .x_scale = AxisScale::logarithmic,
          .y_scale = AxisScale::logarithmic,
          .points = PointMarks::dots};
}

// Claims.

Decision below_bound(const Results& results) {
  double share = 1.0;
  double closest = 0.0;
  for (const BoundPoints& points : {points_by_horizon(results), points_by_relevant(results)}) {
    for (const BoundPoint& point : points) {
      share = std::min(share, point.share_below);
      closest = std::max(closest, point.regret.mean / point.bound.total());
    }
  }
  return {share >= 1.0 - results.settings().delta ? Verdict::holds : Verdict::fails,
          {{"share of the trials below the bound, where it is least", {share, 0.0}},
           {"mean regret over the bound, where it is largest", {closest, 0.0}}}};
}

/// Decided at p = 1, where no trial is left out.
Decision square_root_growth(const Results& results) {
  const Octaves at_once = octaves_at_once(results);
  Decision decision;
  for (const auto& [name, octaves] :
       {std::pair("p = 1", at_once), std::pair("p as set, all found by T/8", octaves_found_early(results))}) {
    if (!std::isfinite(octaves.exponent.mean)) continue;
    decision.numbers.push_back({fmt::format("exponent, {} ({} trials)", name, octaves.by_trial.size()), octaves.exponent});
  }
  if (!std::isfinite(at_once.exponent.mean)) return decision;
  decision.verdict = clearly_below(at_once.exponent, kSquareRoot) ? Verdict::holds : Verdict::fails;
  return decision;
}

Decision at_most_linear_in_relevant(const Results& results) {
  const Estimate exponent = exponent_of_relevant(results);
  Decision decision{clearly_below(exponent, 1.0) ? Verdict::holds : Verdict::fails, {{"exponent of k", exponent}}};
  for (const std::int32_t relevant : kRelevantCounts) {
    decision.numbers.push_back(
        {fmt::format("regret at k = {}", relevant), results.at({study_with(relevant), "ff-oful"}).regret()});
  }
  return decision;
}

/// A number computed at the longest horizon.
NamedNumber at_longest_horizon(std::string name, double (*number)(const BoundPoint& point)) {
  return {std::move(name), [number](const Results& results) { return Estimate{number(points_by_horizon(results).back()), 0.0}; }};
}

double first_meaningful_power(const BoundPoint& point) {
  const std::optional<int> power = first_power_below_worst(point.setting);
  return power ? *power : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Figure bound_figure() {
  return {
      .name = "bound",
      .title = "Measured regret and Theorem 2",
      .paper_place = "Regret analysis, Theorem 2",
      .studies = bound_studies,
      .charts = {bound_chart("", "Regret and Theorem 2 as the horizon grows", "rounds (T)", points_by_horizon),
                 bound_chart("relevant", "Regret and Theorem 2 as more words matter", "relevant words (k)", points_by_relevant),
                 {"octaves", octave_chart}},
      .tables = {bound_table("As the horizon grows: the bound and its terms", "T", points_by_horizon),
                 bound_table("As more words matter: the bound and its terms", "k", points_by_relevant)},
      .claims = {{"regret-below-bound", ClaimBy::paper,
                  "With probability 1 − δ the regret is below Theorem 2's bound, at every horizon and every k.", below_bound},
                 {"regret-exponent-once-marked", ClaimBy::paper,
                  fmt::format("Once every relevant word is marked, regret grows no faster than T^{}.", kSquareRoot),
                  square_root_growth},
                 {"regret-at-most-linear-in-k", ClaimBy::paper,
                  "At a fixed horizon regret grows no faster than k, the number of relevant words.", at_most_linear_in_relevant}},
      .facts = {at_longest_horizon("longest horizon", [](const BoundPoint& point) { return point.x; }),
                {"regret at the longest horizon",
                 [](const Results& results) { return results.study("horizons").entrants.back().regret(); }},
                at_longest_horizon("p of the theorem", [](const BoundPoint& point) { return point.setting.discovery; }),
                at_longest_horizon("bound at the longest horizon", [](const BoundPoint& point) { return point.bound.total(); }),
                at_longest_horizon("finding every word, of that bound",
                                   [](const BoundPoint& point) { return point.bound.finding; }),
                at_longest_horizon("power of two from which the bound is below 2SLT", first_meaningful_power),
                {"exponent of T, p = 1", [](const Results& results) { return octaves_at_once(results).exponent; }},
                {"exponent of k", exponent_of_relevant}},
      .more_settings = [](const Results& /*results*/) -> SettingRows {
        return {{"L, the length of every row", "1"}, {"n of the theorem's ln(λ + nL/k), which the paper leaves open", "T"}};
      }};
}

}  // namespace inkling::bench
