#include "bench/beyond/figures/which_to_use.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/beyond/rivals.hpp"
#include "bench/studies/synthetic_study.hpp"
#include "bench/studies/figure_parts.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 2048;
constexpr std::int32_t kRelevant = 5;
constexpr double kNoises[] = {0.1, 0.5};
constexpr double kShareOfTrials = 0.4;
constexpr double kShareOfTuningTrials = 0.4;

/// What no number tells.
struct Advice {
  std::string_view preset;
  std::string_view needs;
  std::string_view when;
};

constexpr Advice kAdvice[] = {
    {"soft-marks", "R and S; nothing to tune", "somebody marks words, or may; no guarantee is asked for"},
    {"ff-oful", "R and S; nothing to tune",
     "a proof is asked for, or a round must take microseconds in a large pool"},
    {kNarrowOful, "R and S; nothing to tune", "nobody marks anything and no guarantee is asked for"},
    {"oful", "R, S and a ridge", "nobody marks anything and a guarantee is asked for"},
    {"ff-thompson", "R and a ridge", "as ff-oful, where choices of the same model should differ"},
    {"thompson", "R and a ridge", "as oful-narrow, where choices of the same model should differ"},
    {"oful-sketched", "R, S, a ridge and a size", "no matrix of all words or all rounds fits"},
    {"oful-projected", "R, S, a ridge and a size", "the same, and regret matters less than memory"},
    {"lasso-bandit", "a scale", "nothing is known of R and S, and marks are not to be had"}};

std::vector<Study> studies(const PaperContext& context) {
  PaperSettings settings = context.settings;
  settings.trials = share_of_trials(settings.trials, kShareOfTrials);
  settings.tuning_trials = share_of_trials(settings.tuning_trials, kShareOfTuningTrials);
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    WorldOptions options = synthetic_options(settings, kRelevant);
    options.noise = noise;
    Study study = synthetic_study(settings, fmt::format("noise-{}", noise), options);
    study.entrants = all_policies(settings, entrants_in(settings, options, settings.horizon(kRounds)),
                                  options.pool.features, TuningEffort::fine);
    studies.push_back(std::move(study));
  }
  return studies;
}

FigureTable table_of(const std::vector<StudyResult>& results) {
  FigureTable table{
      .line = "Regret and cost of all, and which to use when",
      .head = {"policy", "use it where", "is told", "regret, noise 0.1", "regret, noise 0.5", "µs a round"},
      .rows = {},
      .first_number = 3,
      .view = TableView::open};
  constexpr double micro = 1e6;
  for (const Advice& advice : kAdvice) {
    const EntrantResult& noisy = results[1].of(advice.preset);
    const auto rounds = static_cast<double>(noisy.entrant.options.rounds);
    table.rows.push_back({std::string(advice.preset), std::string(advice.when), std::string(advice.needs),
                          estimate_text(results[0].of(advice.preset).regret()), estimate_text(noisy.regret()),
                          fmt::format("{:.0f}", micro * noisy.decision_seconds() / rounds)});
  }
  return table;
}

Claim least_claim(const StudyResult& result, double noise) {
  return unbeaten_claim(fmt::format("which-least-noise-{}", noise),
                        fmt::format("At noise {} no policy has clearly less regret than soft marks.", noise),
                        result);
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  const EntrantResult& quiet = least_regret(results[0]);
  const EntrantResult& noisy = least_regret(results[1]);
  FigureReport report;
  report.paragraph = fmt::format(
      "All policies in the paper's sparse worlds, each but ff-oful and soft-marks at its best setting, after "
      "{} rounds: at noise 0.1 {} has the least regret, {}, and at noise 0.5 {}, {}. What a number here does "
      "not tell: only the ellipsoid's radius comes with a guarantee, and “coverage” shows what it is worth; "
      "tuning needs trials that nobody has in earnest; and text, where a label is no linear function of the "
      "words, may turn the order round, as the figures on text show. What a round costs in a large pool is "
      "in “decision-time”.",
      digit_groups(quiet.entrant.options.rounds), quiet.entrant.name, estimate_text(quiet.regret()),
      noisy.entrant.name, estimate_text(noisy.regret()));
  report.settings = synthetic_settings(context, results[1], synthetic_options(context.settings, kRelevant));
  report.settings.emplace_back("noise, in place of the above", "0.1 and 0.5");
  report.settings.emplace_back("method", tuning_method(results[0]));
  report.charts = {{"", regret_chart(results[0], "Everybody, noise 0.1"), "Bands are 95 % over trials."},
                   {"noisy", regret_chart(results[1], "Everybody, noise 0.5"), "The same, noisier."}};
  report.tables = {table_of(results), outcome_table(results[0]), outcome_table(results[1])};
  report.tables[2].line = "Noise 0.5: " + report.tables[2].line;
  report.claims = {least_claim(results[0], kNoises[0]), least_claim(results[1], kNoises[1])};
  return report;
}

}  // namespace

Figure which_to_use_figure() {
  return {.name = "which-to-use",
          .title = "Which to use",
          .paper_place = "Beyond the paper: everybody side by side",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
