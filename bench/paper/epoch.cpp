// The epoch variant, about which Theorem 2 is proved, beside Algorithm 2: its schedule and its regret.
#include <cmath>

#include <fmt/format.h>

#include "bench/paper/figures.hpp"
#include "bench/studies/figure_parts.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/policy/exploration_schedule.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kEpochRounds = 4096;
constexpr std::int32_t kEpochRelevant = 5;
constexpr std::string_view kEpochsPlain = "epochs, c = 1";
constexpr std::string_view kEpochsOfProof = "epochs, c of the proof";

/// In an epoch of n = 2^s rounds, the epoch variant plays sqrt(n) at random; 1/sqrt(t) plays 2 (sqrt(2) - 1) sqrt(n).
const double kMoreRandomRounds = 0.5 * (std::sqrt(2.0) + 1.0);

// The schedules, by arithmetic alone.

struct NamedSchedule {
  std::string name;
  ExplorationSchedule rule;

  /// The probability of a random play in round t after the first mark.
  [[nodiscard]] double at(std::int64_t t) const { return rule.probability({t, t}); }
};

std::vector<NamedSchedule> schedules_of(const PaperSettings& settings) {
  const auto epochs = [](double constant) {
    return ExplorationSchedule{.kind = ExplorationSchedule::Kind::epochs, .epoch_constant = constant};
  };
  return {{"Algorithm 2", {.kind = ExplorationSchedule::Kind::inverse_sqrt}},
          {std::string(kEpochsPlain), epochs(1.0)},
          {std::string(kEpochsOfProof), epochs(epoch_constant_of_proof(settings.delta))}};
}

std::int64_t schedule_rounds(const PaperSettings& settings) { return settings.rounds.value_or(kEpochRounds); }

double expected_random_rounds(const NamedSchedule& schedule, std::int64_t rounds) {
  CompensatedSum sum;
  for (std::int64_t t = 1; t <= rounds; ++t) sum.add(schedule.at(t));
  return sum.value();
}

LineChart schedule_chart(const Results& results) {
  LineChart chart{.title = "The probability of a random play",
                  .x_label = "rounds since the first mark",
                  .y_label = "probability",
                  .x_scale = AxisScale::logarithmic};
  for (const NamedSchedule& schedule : schedules_of(results.settings())) {
    Series series{.name = schedule.name};
    for (std::int64_t t = 1; t <= schedule_rounds(results.settings()); ++t) {
      series.x.push_back(static_cast<double>(t));
      series.y.push_back(schedule.at(t));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// The proof carries Theorem 2 over from the epoch variant by these inequalities between the two probabilities.
Decision between_epochs(const Results& results) {
  const std::vector<NamedSchedule> schedules = schedules_of(results.settings());
  const std::int64_t rounds = schedule_rounds(results.settings());
  std::int64_t outside = 0;
  for (std::int64_t t = 1; t <= rounds; ++t) {
    const double plain = schedules[0].at(t);
    const double epochs = schedules[1].at(t);
    outside += 0.5 * epochs * epochs <= plain * plain && plain <= epochs ? 0 : 1;
  }
  return {outside == 0 ? Verdict::holds : Verdict::fails,
          {{"rounds looked at", {static_cast<double>(rounds), 0.0}},
           {"rounds in which it is not so", {static_cast<double>(outside), 0.0}}}};
}

/// The expected number of random rounds under the schedule at this index.
NamedNumber expected_under(std::string name, std::size_t schedule) {
  return {std::move(name), [schedule](const Results& results) {
            return Estimate{
                expected_random_rounds(schedules_of(results.settings())[schedule], schedule_rounds(results.settings())), 0.0};
          }};
}

Estimate proof_constant(const Results& results) { return {epoch_constant_of_proof(results.settings().delta), 0.0}; }

// The regret.

Entrant epoch_entrant(const PaperSettings& settings, double constant, std::string_view name) {
  Entrant entrant = entrant_of(settings, "ff-oful-epoch", settings.horizon(kEpochRounds), settings.noise);
  entrant.options.epoch_constant = constant;
  entrant.name = name;
  return entrant;
}

std::vector<Study> epoch_studies(const PaperContext& context) {
  const PaperSettings& settings = context.settings;
  Study study = synthetic_study(settings, "main", synthetic_options(settings, kEpochRelevant));
  study.entrants = {entrant_of(settings, "ff-oful", settings.horizon(kEpochRounds), settings.noise),
                    epoch_entrant(settings, 1.0, kEpochsPlain),
                    epoch_entrant(settings, epoch_constant_of_proof(settings.delta), kEpochsOfProof)};
  return {std::move(study)};
}

Decision essentially_the_same(const Results& results) {
  const EntrantResult& plain = results.at({"main", "ff-oful"});
  const EntrantResult& epochs = results.at({"main", std::string(kEpochsPlain)});
  const Estimate ratio = paired_ratio(epochs, plain, final_regret);
  const bool within = ratio.mean <= kMoreRandomRounds && ratio.mean >= 1.0 / kMoreRandomRounds;
  return {within ? Verdict::holds : Verdict::fails,
          {{"regret of the epoch variant", epochs.regret()},
           {"regret of ff-oful", plain.regret()},
           {"ratio of the regrets", ratio},
           {"ratio of the random rounds", paired_ratio(epochs, plain, random_rounds)}}};
}

}  // namespace

double epoch_constant_of_proof(double delta) { return std::sqrt(2.0 * natural_log(2.0 / delta)); }

Figure exploration_probability_figure() {
  return {.name = "exploration-probability",
          .title = "When to play at random",
          .paper_place = "Appendix, choice of epsilon_t for both the algorithms",
          .charts = {{"", schedule_chart}},
          .claims = {{"epsilon-between-epochs", ClaimBy::ours,
                      "In every round 1/√2^(s+1) ≤ 1/√t ≤ 1/√2^s with s = ⌊log₂ t⌋, on which the proof rests.", between_epochs}},
          .facts = {expected_under("random rounds of Algorithm 2", 0),
                    expected_under("random rounds with c = 1", 1),
                    expected_under("random rounds with the c of the proof", 2),
                    {"c of the proof", proof_constant}},
          .more_settings = [](const Results& results) -> SettingRows {
            return {{"rounds", digit_groups(schedule_rounds(results.settings()))},
                    {"δ₁", fmt::format("{}", results.settings().delta)}};
          }};
}

Figure epoch_figure() {
  return {.name = "epoch",
          .title = "Exploring by epochs",
          .paper_place = "Appendix, Feature Feedback Epoch OFUL",
          .studies = epoch_studies,
          .charts = {regret_curves("", "Algorithm 2 and its epoch variant", "main")},
          .tables = {outcomes("main")},
          .claims = {{"epoch-essentially-the-same", ClaimBy::paper,
                      "The epoch variant with c = 1 is essentially the same as Algorithm 2: its regret is "
                      "within 21 %, which is how many more random rounds it plays.",
                      essentially_the_same}},
          .facts = {{"c of the proof", proof_constant}},
          .more_settings = [](const Results& results) -> SettingRows {
            return {{"c of the proof, √(2 ln(2/δ))", fmt::format("{:.4f}", epoch_constant_of_proof(results.settings().delta))}};
          }};
}

}  // namespace inkling::bench
