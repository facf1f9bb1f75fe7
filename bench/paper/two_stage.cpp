// FF-OFUL beside policies that explore for T0 rounds and then commit to the words found.
#include <algorithm>

#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/study.hpp"
#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kTwoStageRounds = 4096;
constexpr std::int32_t kTwoStageRelevant = 5;
constexpr std::int64_t kExploreRounds[] = {16, 32, 64, 128, 256, 512, 1024};

std::vector<Entrant> two_stage_entrants(const PaperSettings& settings) {
  const std::int64_t rounds = settings.horizon(kTwoStageRounds);
  std::vector<Entrant> entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise)};
  for (const std::int64_t explore : kExploreRounds) {
    if (explore >= rounds && entrants.size() > 1) break;
    Entrant entrant = entrant_of(settings, "explore-then-commit", rounds, settings.noise);
    entrant.name = fmt::format("T0 = {}", explore);
    entrant.explore_rounds = explore;
    entrants.push_back(std::move(entrant));
  }
  return entrants;
}

std::vector<Study> two_stage_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  const WorldOptions options = synthetic_options(settings, kTwoStageRelevant);
  Study main = synthetic_study(settings, "main", options);
  main.entrants = two_stage_entrants(settings);
  WorldOptions twice_as_many = options;
  twice_as_many.pool.documents = static_cast<std::int32_t>(2 * settings.horizon(kTwoStageRounds));
  Study fresh = synthetic_study(settings, "fresh", twice_as_many);
  fresh.entrants = main.entrants;
  for (Entrant& entrant : fresh.entrants) entrant.options.with_replacement = false;
  return {std::move(main), std::move(fresh)};
}

/// The explore-then-commit entrant of least mean regret.
const EntrantResult& best_commitment(const StudyResult& result) {
  return *std::ranges::min_element(result.entrants.begin() + 1, result.entrants.end(), {},
                                   [](const EntrantResult& entrant) { return entrant.regret().mean; });
}

/// Holds where FF-OFUL has clearly less regret than every other entrant of the study.
ClaimRule beats_every_commitment(std::string id, std::string sentence, std::string study) {
  return {std::move(id), ClaimBy::paper, std::move(sentence), [study = std::move(study)](const Results& results) {
            const std::vector<EntrantResult>& entrants = results.study(study).entrants;
            Decision decision{Verdict::holds, {{"regret of ff-oful", entrants.front().regret()}}};
            for (std::size_t n = 1; n < entrants.size(); ++n) {
              const Estimate difference = paired_difference(entrants.front(), entrants[n], final_regret);
              decision.numbers.push_back({"ff-oful minus " + entrants[n].entrant.name, difference});
              if (!clearly_below(difference, 0.0)) decision.verdict = Verdict::fails;
            }
            return decision;
          }};
}

// The long tail: trials in which a word was found late or never.

/// The last round whose marks the policy can use.
std::int64_t last_useful_round(const EntrantResult& result) {
  return result.entrant.explore_rounds.value_or(result.entrant.rounds);
}

/// The chance that this many random rounds leave a word unmarked.
double missed_after(double rounds, double discovery) {
  if (discovery >= 1.0) return 0.0;
  return exponential(rounds * natural_log_plus_one(-discovery));
}

enum class Words { all_in_time, some_missed };

std::string mean_regret_where(const EntrantResult& result, Words words) {
  std::vector<double> regrets;
  for (const TrialResult& trial : result.trials) {
    const bool in_time = trial.all_found_at && *trial.all_found_at <= last_useful_round(result);
    if (in_time == (words == Words::all_in_time)) regrets.push_back(trial.regret);
  }
  return regrets.empty() ? "–" : estimate_text(estimate_of(regrets));
}

FigureTable tail_table(const Results& results) {
  FigureTable table{
      .line = "How much of the regret is due to words that were never found",
      .head = {"policy", "mean regret", "median", "trials with every word in time", "regret in those", "regret in the others"}};
  for (const EntrantResult& entrant : results.study("main").entrants) {
    const Estimate share = found_all_by(entrant, last_useful_round(entrant));
    table.rows.push_back({entrant.entrant.name, estimate_text(entrant.regret()),
                          fmt::format("{:.0f}", median(sorted_regrets(entrant))), fmt::format("{:.0f} %", 100.0 * share.mean),
                          mean_regret_where(entrant, Words::all_in_time), mean_regret_where(entrant, Words::some_missed)});
  }
  return table;
}

/// The regret that each share of the trials stays below.
LineChart quantile_chart(const Results& results) {
  LineChart chart{.title = "Regret trial by trial, the least first",
                  .x_label = "share of the trials, %",
                  .y_label = "regret at most",
                  .points = PointMarks::dots};
  const StudyResult& main = results.study("main");
  for (const EntrantResult* entrant : {&main.of("ff-oful"), &best_commitment(main)}) {
    const std::vector<double> regrets = sorted_regrets(*entrant);
    Series series{.name = entrant->entrant.name, .x = {}, .y = regrets};
    for (std::size_t n = 1; n <= regrets.size(); ++n)
      series.x.push_back(100.0 * static_cast<double>(n) / static_cast<double>(regrets.size()));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// Each policy's regret up to a round over the least that any of them had by then.
LineChart hindsight_chart(const Results& results) {
  LineChart chart{.title = "Regret relative to the best choice in hindsight",
                  .x_label = "rounds",
                  .y_label = "times the least regret by then",
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  const std::vector<EntrantResult>& entrants = results.study("main").entrants;
  const std::int64_t rounds = entrants.front().entrant.rounds;
  for (const EntrantResult& entrant : entrants) chart.series.push_back({entrant.entrant.name, {}, {}});
  for (std::int64_t until = std::max<std::int64_t>(1, rounds / 32); until <= rounds; until *= 2) {
    std::vector<double> regrets;
    regrets.reserve(entrants.size());
    for (const EntrantResult& entrant : entrants) {
      regrets.push_back(estimate_over_trials(entrant, [&](const TrialResult& trial) {
                          return regret_until(trial, rounds, static_cast<double>(until));
                        }).mean);
    }
    const double least = std::ranges::min(regrets);
    for (std::size_t n = 0; n < regrets.size() && least > 0.0; ++n) {
      chart.series[n].x.push_back(static_cast<double>(until));
      chart.series[n].y.push_back(regrets[n] / least);
    }
  }
  return chart;
}

/// A number of the main study.
NamedNumber tail_fact(std::string name, double (*number)(const StudyResult& main)) {
  return {std::move(name), [number](const Results& results) { return Estimate{number(results.study("main")), 0.0}; }};
}

std::vector<NamedNumber> tail_facts() {
  return {
      {"share of trials in which ff-oful found every word",
       [](const Results& results) {
         const EntrantResult& marked = results.at({"main", "ff-oful"});
         return found_all_by(marked, last_useful_round(marked));
       }},
      tail_fact("median regret of ff-oful", [](const StudyResult& main) { return median(sorted_regrets(main.of("ff-oful"))); }),
      tail_fact("largest regret of ff-oful", [](const StudyResult& main) { return sorted_regrets(main.of("ff-oful")).back(); }),
      tail_fact(
          "chance that ff-oful misses a word",
          [](const StudyResult& main) { return missed_after(main.of("ff-oful").explored().mean, least_discovery(main.study)); }),
      tail_fact("chance that the best commitment misses a word", [](const StudyResult& main) {
        const auto rounds = static_cast<double>(last_useful_round(best_commitment(main)));
        return missed_after(rounds, least_discovery(main.study));
      })};
}

}  // namespace

Figure two_stage_figure() {
  return {.name = "two-stage",
          .title = "Explore first, then commit?",
          .paper_place = "Introduction, explore-then-commit for different values of T0",
          .studies = two_stage_studies,
          .charts = {regret_curves("", "FF-OFUL and explore-then-commit", "main"),
                     {"hindsight", hindsight_chart},
                     {"quantiles", quantile_chart},
                     regret_curves("fresh", "The same where no document is shown twice", "fresh")},
          .tables = {{tail_table}, outcomes("main"), outcomes("fresh", "No document shown twice")},
          .claims = {beats_every_commitment("two-stage-beats-every-t0",
                                            "FF-OFUL has less regret than explore-then-commit for every T0 tried.", "main"),
                     beats_every_commitment("two-stage-beats-every-t0-fresh",
                                            "Where no document is shown twice, FF-OFUL has less regret than "
                                            "explore-then-commit for every T0 tried.",
                                            "fresh")},
          .facts = tail_facts()};
}

}  // namespace inkling::bench
