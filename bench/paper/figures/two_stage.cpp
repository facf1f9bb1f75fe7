#include "bench/paper/figures/two_stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/trial_measures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/portable_math.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 4096;
constexpr std::int32_t kRelevant = 5;
constexpr std::int64_t kExploreRounds[] = {16, 32, 64, 128, 256, 512, 1024};

std::vector<Entrant> entrants_of(const PaperSettings& settings) {
  const std::int64_t rounds = settings.horizon(kRounds);
  std::vector<Entrant> entrants = {entrant_of(settings, "ff-oful", rounds, settings.noise)};
  for (const std::int64_t explore : kExploreRounds) {
    if (explore >= rounds && entrants.size() > 1) break;
    Entrant entrant = entrant_of(settings, "explore-then-commit", rounds, settings.noise);
    entrant.name = fmt::format("T0 = {}", explore);
    entrant.options.explore_rounds = explore;
    entrants.push_back(std::move(entrant));
  }
  return entrants;
}

/// Twice as many documents as rounds, none of them shown twice.
WorldOptions fresh_options(const PaperSettings& settings) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.pool.documents = static_cast<std::int32_t>(2 * settings.horizon(kRounds));
  return options;
}

std::vector<Study> studies_of(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study main = synthetic_study(settings, "main", synthetic_options(settings, kRelevant));
  main.entrants = entrants_of(settings);
  Study fresh = synthetic_study(settings, "fresh", fresh_options(settings));
  fresh.entrants = entrants_of(settings);
  for (Entrant& entrant : fresh.entrants) entrant.options.with_replacement = false;
  return {std::move(main), std::move(fresh)};
}

/// The last round whose marks the policy can use.
std::int64_t last_useful_round(const EntrantResult& result) {
  return result.entrant.options.explore_rounds.value_or(result.entrant.options.rounds);
}

/// The explore-then-commit of least mean regret.
const EntrantResult& best_commitment(const StudyResult& result) {
  return *std::min_element(result.entrants.begin() + 1, result.entrants.end(),
                           [](const EntrantResult& one, const EntrantResult& other) {
                             return one.regret().mean < other.regret().mean;
                           });
}

struct Comparison {
  Claim claim;
  std::vector<std::string> not_beaten;  ///< "T0 = 256 (difference 52 ± 31)"
};

Comparison compare(const StudyResult& result, std::string id, std::string sentence) {
  const EntrantResult& marked = result.of("ff-oful");
  Comparison comparison{{.id = std::move(id), .sentence = std::move(sentence), .numbers = {}}, {}};
  comparison.claim.numbers.push_back({"regret of ff-oful", marked.regret()});
  for (std::size_t n = 1; n < result.entrants.size(); ++n) {
    const EntrantResult& committed = result.entrants[n];
    const Estimate difference = paired_difference(marked, committed, final_regret);
    comparison.claim.numbers.push_back({"ff-oful less " + committed.entrant.name, difference});
    if (clearly_below(difference, 0.0)) continue;
    comparison.not_beaten.push_back(
        fmt::format("{} (difference {})", committed.entrant.name, estimate_text(difference)));
  }
  comparison.claim.verdict = comparison.not_beaten.empty() ? Verdict::holds : Verdict::fails;
  return comparison;
}

/// What chance there is that so many random rounds leave a word unmarked.
double missed_after(double rounds, double discovery) {
  if (discovery >= 1.0) return 0.0;
  return exponential(rounds * natural_log_plus_one(-discovery));
}

std::string long_tail_text(const StudyResult& main) {
  const EntrantResult& marked = main.of("ff-oful");
  const EntrantResult& best = best_commitment(main);
  const double discovery = least_discovery(main.study);
  const double random_rounds = estimate_over_trials(marked, [](const TrialResult& trial) {
                                 return static_cast<double>(trial.explored);
                               }).mean;
  return fmt::format(
      "A word that is still unmarked when random rounds have become rare costs regret in every round after. "
      "In {:.0f} % of the trials FF-OFUL had every word by the end; its median regret is {:.0f}, its mean "
      "{:.0f}, and in its worst trial it is {:.0f}, with {} of {} words found. A random round marks the "
      "rarest relevant word of all trials with probability {:.3f}: FF-OFUL's {:.0f} random rounds miss it "
      "with probability {:.2f}, {} with {:.3f}.",
      100.0 * found_all_by(marked, last_useful_round(marked)).mean, median(sorted_regrets(marked)),
      marked.regret().mean, std::ranges::max(marked.trials, {}, &TrialResult::regret).regret,
      std::ranges::max(marked.trials, {}, &TrialResult::regret).features_found, kRelevant, discovery,
      random_rounds, missed_after(random_rounds, discovery), best.entrant.name,
      missed_after(static_cast<double>(last_useful_round(best)), discovery));
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

FigureTable tail_table(const StudyResult& result) {
  FigureTable table{.line = "How much of the regret is due to words that were never found",
                    .head = {"policy", "mean regret", "median", "trials with every word in time",
                             "regret in those", "regret in the others"},
                    .rows = {}};
  for (const EntrantResult& entrant : result.entrants) {
    const Estimate share = found_all_by(entrant, last_useful_round(entrant));
    table.rows.push_back(
        {entrant.entrant.name, estimate_text(entrant.regret()),
         fmt::format("{:.0f}", median(sorted_regrets(entrant))), fmt::format("{:.0f} %", 100.0 * share.mean),
         mean_regret_where(entrant, Words::all_in_time), mean_regret_where(entrant, Words::some_missed)});
  }
  return table;
}

/// The regret that each share of the trials stays below.
FigureChart quantile_chart(const StudyResult& result) {
  LineChart chart{.title = "The long tail of regrets",
                  .x_label = "share of the trials, %",
                  .y_label = "regret at most",
                  .series = {},
                  .points = PointMarks::dots};
  for (const EntrantResult* entrant : {&result.of("ff-oful"), &best_commitment(result)}) {
    const std::vector<double> regrets = sorted_regrets(*entrant);
    Series series{.name = entrant->entrant.name, .x = {}, .y = regrets};
    for (std::size_t n = 1; n <= regrets.size(); ++n) {
      series.x.push_back(100.0 * static_cast<double>(n) / static_cast<double>(regrets.size()));
    }
    chart.series.push_back(std::move(series));
  }
  return {"quantiles", std::move(chart),
          "Trial by trial, the least regret first: a mean above the median is the work of few trials."};
}

/// Each policy's regret up to a round over the least that any of them had by then: T0 in hindsight.
std::vector<Series> hindsight_lines(const StudyResult& result) {
  const std::int64_t rounds = result.entrants.front().entrant.options.rounds;
  std::vector<Series> lines;
  lines.reserve(result.entrants.size());
  for (const EntrantResult& entrant : result.entrants) lines.push_back({entrant.entrant.name, {}, {}});
  for (std::int64_t until = std::max<std::int64_t>(1, rounds / 32); until <= rounds; until *= 2) {
    const auto regret_by_then = [&](const TrialResult& trial) {
      return regret_until(trial, rounds, static_cast<double>(until));
    };
    std::vector<double> regrets;
    regrets.reserve(lines.size());
    for (const EntrantResult& entrant : result.entrants) {
      regrets.push_back(estimate_over_trials(entrant, regret_by_then).mean);
    }
    const double least = std::ranges::min(regrets);
    for (std::size_t n = 0; n < lines.size() && least > 0.0; ++n) {
      lines[n].x.push_back(static_cast<double>(until));
      lines[n].y.push_back(regrets[n] / least);
    }
  }
  return lines;
}

FigureChart hindsight_chart(const StudyResult& result) {
  std::vector<Series> lines = hindsight_lines(result);
  std::string largest;
  for (const Series& line : lines) {
    double most = 1.0;
    for (const double ratio : line.y) most = std::max(most, ratio);
    largest += fmt::format("{}{} {:.2f}", largest.empty() ? "" : ", ", line.name, most);
  }
  return {"hindsight",
          {.title = "Regret relative to the best choice in hindsight",
           .x_label = "rounds",
           .y_label = "times the least regret by then",
           .series = std::move(lines),
           .x_scale = AxisScale::logarithmic,
           .points = PointMarks::dots},
          fmt::format(
              "1 is the policy with the least mean regret up to that round. Each T0 is good at some horizon "
              "and bad at others, and nobody knows the right one beforehand. The largest ratios: {}.",
              largest)};
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const StudyResult& main = results[0];
  const StudyResult& fresh = results[1];
  const EntrantResult& marked = main.of("ff-oful");
  const EntrantResult& best = best_commitment(main);
  Comparison here = compare(main, "two-stage-beats-every-t0",
                            "FF-OFUL has less regret than explore-then-commit for every T0 tried.");
  Comparison there = compare(fresh, "two-stage-beats-every-t0-fresh",
                             "Where no document is shown twice, FF-OFUL has less regret than "
                             "explore-then-commit for every T0 tried.");
  const EntrantResult& best_there = best_commitment(fresh);
  FigureReport report;
  report.paragraph = fmt::format(
      "Is it better to explore for T0 rounds and then commit to the words found? {} trials of {} rounds, 5 "
      "of 40 words matter, λ = 1 for all. FF-OFUL had a regret of {}; the best T0 in hindsight, {}, had {}. "
      "{} Where no document is shown twice ({} trials, {} documents) the rounds that FF-OFUL chooses bring "
      "marks too: {} against {} of {}.",
      main.study.trials, digit_groups(marked.entrant.options.rounds), estimate_text(marked.regret()),
      best.entrant.name, estimate_text(best.regret()), long_tail_text(main), fresh.study.trials,
      digit_groups(fresh_options(context.settings).pool.documents),
      estimate_text(fresh.of("ff-oful").regret()), estimate_text(best_there.regret()),
      best_there.entrant.name);
  if (here.claim.verdict == Verdict::fails) {
    here.claim.why = fmt::format("Not clearly less than {}. {} Where no document is shown twice it {}.",
                                 fmt::join(here.not_beaten, ", "), long_tail_text(main),
                                 verdict_text(there.claim.verdict));
  }
  if (there.claim.verdict == Verdict::fails) {
    there.claim.why = fmt::format("Not clearly less than {} in {} trials.", fmt::join(there.not_beaten, ", "),
                                  fresh.study.trials);
  }
  report.settings = synthetic_settings(context, main, synthetic_options(context.settings, kRelevant));
  report.charts.push_back({"", regret_chart(main, "FF-OFUL and explore-then-commit"),
                           "Regret summed up over the rounds, means over trials with 95 % bands."});
  report.charts.push_back(hindsight_chart(main));
  report.charts.push_back(quantile_chart(main));
  report.charts.push_back(
      {"fresh", regret_chart(fresh, "The same where no document is shown twice"),
       "A new document in every round: marks come in every round, not in random ones alone."});
  report.tables = {tail_table(main), outcome_table(main), outcome_table(fresh)};
  report.tables.back().line =
      fmt::format("No document shown twice, means over {} trials", fresh.study.trials);
  report.claims = {std::move(here.claim), std::move(there.claim)};
  return report;
}

}  // namespace

Figure two_stage_figure() {
  return {.name = "two-stage",
          .title = "Explore first, then commit?",
          .paper_place = "Introduction, explore-then-commit for different values of T0",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
