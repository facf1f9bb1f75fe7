#include "bench/paper/figures/exploration_probability.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/paper/figures/epoch.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/policy/exploration_schedule.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRounds = 4096;

struct Schedule {
  std::string name;
  ExplorationSchedule rule;

  /// In round t after the first mark.
  [[nodiscard]] double at(std::int64_t t) const { return rule.probability({t, t}); }
};

Schedule plain_schedule() { return {"Algorithm 2", {.kind = ExplorationSchedule::Kind::inverse_sqrt}}; }

Schedule epoch_schedule(std::string name, double constant) {
  return {std::move(name), {.kind = ExplorationSchedule::Kind::epochs, .epoch_constant = constant}};
}

Series line_of(const Schedule& schedule, std::int64_t rounds) {
  Series series{.name = schedule.name, .x = {}, .y = {}};
  for (std::int64_t t = 1; t <= rounds; ++t) {
    series.x.push_back(static_cast<double>(t));
    series.y.push_back(schedule.at(t));
  }
  return series;
}

double expected_random_rounds(const Schedule& schedule, std::int64_t rounds) {
  CompensatedSum sum;
  for (std::int64_t t = 1; t <= rounds; ++t) sum.add(schedule.at(t));
  return sum.value();
}

/// The proof carries Theorem 2 over from the epoch variant by this.
Claim between_claim(const Schedule& plain, const Schedule& epochs, std::int64_t rounds) {
  std::int64_t outside = 0;
  for (std::int64_t t = 1; t <= rounds; ++t) {
    const bool between =
        0.5 * epochs.at(t) * epochs.at(t) <= plain.at(t) * plain.at(t) && plain.at(t) <= epochs.at(t);
    outside += between ? 0 : 1;
  }
  return {
      .id = "epsilon-between-epochs",
      .sentence = "In every round 1/√2^(s+1) ≤ 1/√t ≤ 1/√2^s with s = ⌊log₂ t⌋, on which the proof rests.",
      .verdict = outside == 0 ? Verdict::holds : Verdict::fails,
      .numbers = {{"rounds looked at", {static_cast<double>(rounds), 0.0}},
                  {"rounds in which it is not so", {static_cast<double>(outside), 0.0}}}};
}

std::vector<Study> studies_of(const PaperContext& /*context*/) { return {}; }

FigureReport report_of(const PaperContext& context, const std::vector<StudyResult>& /*results*/) {
  const std::int64_t rounds = context.settings.rounds.value_or(kRounds);
  const double constant = epoch_constant_of_proof(context.settings.delta);
  const std::vector<Schedule> schedules = {plain_schedule(), epoch_schedule("epochs, c = 1", 1.0),
                                           epoch_schedule("epochs, c of the proof", constant)};
  FigureReport report;
  report.paragraph = fmt::format(
      "How often do the algorithms play at random, t rounds after the first mark? Computed with the "
      "program's own schedules, up to round {}. Algorithm 2 plays {:.1f} of them at random on average, the "
      "epoch variant with c = 1 {:.1f}, and with c = {:.2f}, which the proof needs for δ₁ = {}, {:.1f}.",
      digit_groups(rounds), expected_random_rounds(schedules[0], rounds),
      expected_random_rounds(schedules[1], rounds), constant, context.settings.delta,
      expected_random_rounds(schedules[2], rounds));
  report.settings = {{"rounds", digit_groups(rounds)}, {"δ₁", fmt::format("{}", context.settings.delta)}};
  LineChart chart{.title = "The probability of a random play",
                  .x_label = "rounds since the first mark",
                  .y_label = "probability",
                  .series = {},
                  .x_scale = AxisScale::logarithmic};
  FigureTable table{.line = "Random rounds expected", .head = {"schedule", "random rounds"}, .rows = {}};
  for (const Schedule& schedule : schedules) {
    chart.series.push_back(line_of(schedule, rounds));
    table.rows.push_back({schedule.name, fmt::format("{:.1f}", expected_random_rounds(schedule, rounds))});
  }
  report.charts.push_back({"", std::move(chart), "The staircase touches the curve where an epoch begins."});
  report.tables.push_back(std::move(table));
  report.claims.push_back(between_claim(schedules[0], schedules[1], rounds));
  return report;
}

}  // namespace

Figure exploration_probability_figure() {
  return {.name = "exploration-probability",
          .title = "When to play at random",
          .paper_place = "Appendix, choice of epsilon_t for both the algorithms",
          .studies = studies_of,
          .report = report_of};
}

}  // namespace inkling::bench
