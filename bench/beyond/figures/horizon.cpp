#include "bench/beyond/figures/horizon.hpp"

#include <string>
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

constexpr std::int64_t kRounds = 8192;
constexpr std::int64_t kFirst = 32;
constexpr std::int32_t kRelevant = 5;
constexpr double kNoises[] = {0.1, 0.5};

WorldOptions options_at(const PaperSettings& settings, double noise) {
  WorldOptions options = synthetic_options(settings, kRelevant);
  options.noise = noise;
  return options;
}

std::vector<Study> studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  std::vector<Study> studies;
  for (const double noise : kNoises) {
    const WorldOptions options = options_at(settings, noise);
    Study study = synthetic_study(settings, fmt::format("noise-{}", noise), options);
    study.entrants = main_policies(settings, entrants_in(settings, options, settings.horizon(kRounds)),
                                   options.pool.features, TuningEffort::fine);
    studies.push_back(std::move(study));
  }
  return studies;
}

/// Powers of two up to the last round, and the last round.
std::vector<std::int64_t> powers_of_two(std::int64_t last) {
  std::vector<std::int64_t> powers;
  for (std::int64_t power = kFirst; power < last; power *= 2) powers.push_back(power);
  powers.push_back(last);
  return powers;
}

std::function<double(const TrialResult&)> regret_at(std::int64_t rounds, std::int64_t until) {
  return [rounds, until](const TrialResult& trial) {
    return regret_until(trial, rounds, static_cast<double>(until));
  };
}

LineChart chart_of(const StudyResult& result, double noise) {
  LineChart chart{.title = fmt::format("Noise {}", noise),
                  .x_label = "rounds",
                  .y_label = "regret",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .y_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : result.entrants) {
    Series series{.name = entrant.entrant.name, .x = {}, .y = {}};
    const std::int64_t rounds = entrant.entrant.options.rounds;
    for (const std::int64_t until : powers_of_two(rounds)) {
      add_point(series, static_cast<double>(until), estimate_over_trials(entrant, regret_at(rounds, until)));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Claim below_claim(const StudyResult& result, double noise) {
  const EntrantResult& soft = result.of("soft-marks");
  const EntrantResult& marked = result.of("ff-oful");
  const std::int64_t rounds = soft.entrant.options.rounds;
  Claim claim{.id = fmt::format("horizon-noise-{}", noise),
              .sentence = fmt::format("At noise {} soft marks have no more regret than FF-OFUL at any power "
                                      "of two from {} to {} rounds.",
                                      noise, kFirst, digit_groups(rounds)),
              .verdict = Verdict::holds,
              .numbers = {}};
  std::vector<std::string> above;
  for (const std::int64_t until : powers_of_two(rounds)) {
    const auto number = regret_at(rounds, until);
    claim.numbers.push_back(
        {fmt::format("ratio after {} rounds", until), paired_ratio(soft, marked, number)});
    if (paired_difference(soft, marked, number).mean > 0.0) above.push_back(fmt::format("{}", until));
  }
  if (!above.empty()) {
    claim.verdict = Verdict::fails;
    claim.why = fmt::format("They have more after {} rounds.", fmt::join(above, ", "));
  }
  return claim;
}

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& results) {
  FigureReport report;
  const std::int64_t rounds = results[0].of("soft-marks").entrant.options.rounds;
  const auto ratio_at = [&](const StudyResult& result, std::int64_t until) {
    return estimate_text(
        paired_ratio(result.of("soft-marks"), result.of("ff-oful"), regret_at(rounds, until)));
  };
  const std::int64_t early = std::min<std::int64_t>(256, rounds);
  report.paragraph = fmt::format(
      "A rule that wins at one horizon may lose at another: it may have stopped exploring too early. Soft "
      "marks' regret over FF-OFUL's is {} after {} rounds and {} after {} at noise 0.1, and {} and {} at "
      "noise 0.5. On logarithmic axes a bounded regret is level; a slope of a half is the square root.",
      ratio_at(results[0], early), early, ratio_at(results[0], rounds), digit_groups(rounds),
      ratio_at(results[1], early), ratio_at(results[1], rounds));
  report.settings = synthetic_settings(context, results[0], options_at(context.settings, kNoises[0]));
  report.settings.emplace_back("method", tuning_method(results[0]));
  report.charts = {{"", chart_of(results[0], kNoises[0]),
                    "Means over trials with 95 % bands, on straight lines between 200 checkpoints."},
                   {"noisy", chart_of(results[1], kNoises[1]), "The same, noisier."}};
  report.tables = {outcome_table(results[0]), outcome_table(results[1])};
  report.tables[1].line = "Noise 0.5: " + report.tables[1].line;
  report.claims = {below_claim(results[0], kNoises[0]), below_claim(results[1], kNoises[1])};
  return report;
}

}  // namespace

Figure horizon_figure() {
  return {.name = "horizon",
          .title = "From 32 rounds to 8,192",
          .paper_place = "Beyond the paper: its synthetic worlds",
          .studies = studies,
          .report = report_of};
}

}  // namespace inkling::bench
