#include "bench/paper/report_parts.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

#include "bench/rivals/rival_presets.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

/// So many decimals that the standard error shows two digits; of an exact number three digits.
int decimals_for(const Estimate& estimate) {
  const double size =
      estimate.standard_error > 0.0 ? estimate.standard_error : std::fabs(estimate.mean) / 10.0;
  if (!(size > 0.0) || !std::isfinite(size)) return 0;
  constexpr int most = 6;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(size))), 0, most);
}

std::string whole_or_text(double number, int decimals) {
  constexpr double grouped = 10'000.0;
  if (decimals == 0 && std::fabs(number) >= grouped)
    return (number < 0.0 ? "-" : "") + digit_groups(std::llround(std::fabs(number)));
  return fmt::format("{:.{}f}", number, decimals);
}

std::vector<Measurement> comparison_of(const EntrantResult& one, const EntrantResult& other) {
  return {{"regret of " + one.entrant.name, one.regret()},
          {"regret of " + other.entrant.name, other.regret()},
          {"difference", paired_difference(one, other, final_regret)},
          {"ratio", paired_ratio(one, other, final_regret)}};
}

}  // namespace

void add_point(Series& series, double x, const Estimate& estimate) {
  series.x.push_back(x);
  series.y.push_back(estimate.mean);
  series.low.push_back(estimate.mean - kBand * estimate.standard_error);
  series.high.push_back(estimate.mean + kBand * estimate.standard_error);
}

LineChart regret_chart(const StudyResult& result, std::string_view title) {
  LineChart chart{.title = std::string(title), .x_label = "rounds", .y_label = "regret", .series = {}};
  for (const EntrantResult& entrant : result.entrants) {
    Series series{.name = entrant.entrant.name, .x = {0.0}, .y = {0.0}, .low = {0.0}, .high = {0.0}};
    const std::vector<std::int64_t> rounds = checkpoints(entrant.entrant.options.rounds);
    const std::vector<Estimate> curve = entrant.curve();
    for (std::size_t n = 0; n < rounds.size(); ++n)
      add_point(series, static_cast<double>(rounds[n]), curve[n]);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

LineChart tuning_chart(const StudyResult& result, std::string_view title) {
  LineChart chart{.title = std::string(title),
                  .x_label = "ridge (lambda)",
                  .y_label = "regret in the tuning trials",
                  .series = {},
                  .x_scale = AxisScale::logarithmic,
                  .points = PointMarks::dots};
  for (const EntrantResult& entrant : result.entrants) {
    if (!entrant.tuning) continue;
    Series series{.name = entrant.entrant.name, .x = {}, .y = {}};
    for (std::size_t n = 0; n < entrant.tuning->candidates.size(); ++n) {
      add_point(series, entrant.tuning->candidates[n].value, entrant.tuning->regret[n]);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::string estimate_text(const Estimate& estimate) {
  if (!std::isfinite(estimate.mean)) return "-";
  const int decimals = decimals_for(estimate);
  std::string mean = whole_or_text(estimate.mean, decimals);
  if (estimate.standard_error == 0.0) return mean;
  return fmt::format("{} ± {}", mean, whole_or_text(estimate.standard_error, decimals));
}

std::string ridge_text(double ridge) {
  const double power = std::log2(ridge);
  if (power == std::round(power)) return fmt::format("2^{:.0f}", power);
  return fmt::format("{:.4g}", ridge);
}

std::string setting_text(const EntrantResult& result) {
  const Contestant& contestant = result.entrant.contestant;
  if (result.tuning) return result.tuning->best().label;
  if (!contestant.preset.learner) return "-";
  return contestant.preset.uses.soft_marks ? "by its rule" : ridge_text(contestant.ridge);
}

FigureTable outcome_table(const StudyResult& result) {
  FigureTable table{
      .line = fmt::format("All that was measured, means over {} trials", result.study.trials),
      .head = {"policy", "ridge", "regret", "reward", "words marked", "random rounds", "ms of decisions"},
      .rows = {}};
  for (const EntrantResult& entrant : result.entrants) {
    const Estimate explored = estimate_over_trials(
        entrant, [](const TrialResult& trial) { return static_cast<double>(trial.explored); });
    table.rows.push_back({entrant.entrant.name, setting_text(entrant), estimate_text(entrant.regret()),
                          estimate_text(entrant.reward()), estimate_text(entrant.features_found()),
                          estimate_text(explored), fmt::format("{:.1f}", 1e3 * entrant.decision_seconds())});
  }
  return table;
}

Claim less_regret_claim(std::string id, std::string sentence, const EntrantResult& less,
                        const EntrantResult& more) {
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .numbers = comparison_of(less, more)};
  const Estimate difference = paired_difference(less, more, final_regret);
  claim.verdict = difference.mean < -kBand * difference.standard_error ? Verdict::holds : Verdict::fails;
  return claim;
}

Claim within_factor_claim(std::string id, std::string sentence, const EntrantResult& one,
                          const EntrantResult& other, double factor) {
  Claim claim{.id = std::move(id), .sentence = std::move(sentence), .numbers = comparison_of(one, other)};
  claim.verdict = one.regret().mean <= factor * other.regret().mean ? Verdict::holds : Verdict::fails;
  return claim;
}

Claim ridge_inside_claim(std::string id, const EntrantResult& tuned) {
  assert(tuned.tuning);
  const Tuning& tuning = *tuned.tuning;
  Claim claim{.id = std::move(id),
              .sentence = fmt::format("The ridge chosen for {}, {}, lies strictly inside the grid {} to {}.",
                                      tuned.entrant.name, tuning.best().label,
                                      tuning.candidates.front().label, tuning.candidates.back().label),
              .verdict = tuning.strictly_inside() ? Verdict::holds : Verdict::fails,
              .numbers = {{"ridge", {tuning.best().value, 0.0}}}};
  if (tuning.strictly_inside() || tuning.candidates.size() < 3) return claim;
  const std::size_t last = tuning.candidates.size() - 1;
  const bool at_end = tuning.chosen == last;
  const std::size_t next = at_end ? last - 1 : 1;
  claim.why = fmt::format(
      "In the tuning trials the regret is {} there, {} at {}, and {} at the other end, {}. Where little of "
      "the truth can "
      "be learned in so many rounds, the {} the ridge the better, and the grid, which is the paper's, ends "
      "first.",
      estimate_text(tuning.regret[at_end ? last : 0]), estimate_text(tuning.regret[next]),
      tuning.candidates[next].label, estimate_text(tuning.regret[at_end ? 0 : last]),
      tuning.candidates[at_end ? 0 : last].label, at_end ? "heavier" : "lighter");
  return claim;
}

std::vector<std::pair<std::string, std::string>> common_settings(const PaperContext& context,
                                                                 const StudyResult& result) {
  const PaperSettings& settings = context.settings;
  std::vector<std::pair<std::string, std::string>> rows = {
      {"trials", digit_groups(result.study.trials)},
      {"rounds", digit_groups(result.study.entrants.front().options.rounds)},
      {"seed", fmt::format("{}", settings.seed)},
      {"delta, the failure probability of a confidence set", fmt::format("{}", settings.delta)},
      {"S, the bound on the norm of theta* that policies are told", fmt::format("{}", settings.norm_bound)},
      {"R, the noise that policies are told",
       fmt::format("{}", result.study.entrants.front().options.confidence.noise)}};
  if (result.study.tuning_trials > 0) {
    rows.emplace_back("trials for each ridge of the tuning, other than those above",
                      digit_groups(result.study.tuning_trials));
  }
  return rows;
}

Entrant entrant_of(const PaperSettings& settings, std::string_view preset, std::int64_t rounds,
                   double assumed_noise) {
  const std::optional<Preset> found = find_any_preset(preset);
  assert(found);
  Entrant entrant{.name = std::string(preset), .contestant = {*found, 1.0}, .options = {}};
  entrant.options.rounds = rounds;
  entrant.options.confidence = settings.confidence(assumed_noise);
  entrant.options.seed = settings.seed;
  // A factor of all features is full: then the dense one takes two thirds of the time.
  if (found->scope == FeatureScope::Kind::all) entrant.options.factor = FactorKind::dense;
  return entrant;
}

Entrant tuned(Entrant entrant, std::span<const double> ridges) {
  for (const double ridge : ridges) {
    entrant.candidates.push_back({ridge_text(ridge), ridge, entrant.contestant});
    entrant.candidates.back().contestant.ridge = ridge;
  }
  return entrant;
}

Entrant tuned(Entrant entrant, const PaperSettings& settings) {
  return tuned(std::move(entrant), settings.ridges());
}

std::vector<double> some_ridges(const PaperSettings& settings, std::size_t step) {
  const std::vector<double> all = settings.ridges();
  std::vector<double> some;
  for (std::size_t n = 0; n < all.size(); n += step) some.push_back(all[n]);
  return some;
}

std::string soft_marks_text(const StudyResult& result) {
  const EntrantResult& soft = result.of("soft-marks");
  return fmt::format(
      " Not of the paper: soft marks, which are not tuned either, have {}, {} times FF-OFUL's. They use a "
      "narrower radius too; what is due to it and what to marks, `inkling-bench beyond` tells apart.",
      estimate_text(soft.regret()), estimate_text(paired_ratio(soft, result.of("ff-oful"), final_regret)));
}

}  // namespace inkling::bench
