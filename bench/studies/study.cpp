#include "bench/studies/study.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/base/file/digit_groups.hpp"

namespace inkling::bench {
namespace {

constexpr std::int64_t kRoundsBetweenReports = 256;

/// What one trial of all entrants leaves behind.
struct TrialOfAll {
  std::int64_t trial = 0;
  std::vector<TrialResult> results = {};  // by entrant
  std::string trace = {};
};

TrialOfAll run_one_trial(const Study& study, std::int64_t trial, const StudyRunOptions& options) {
  const auto number = static_cast<std::uint64_t>(trial);
  const World world = study.world(number);
  TrialOfAll all{.trial = trial};
  for (const Entrant& entrant : study.entrants) {
    std::int64_t unreported = 0;
    std::int64_t played = 0;
    const auto observe = [&](const RoundRecord& record) {
      played = record.round;
      if (options.trace_line) all.trace += options.trace_line(trial, entrant, record);
      if (++unreported < kRoundsBetweenReports) return;
      options.advance(std::exchange(unreported, 0));
      options.check_interruption();
    };
    all.results.push_back(run_trial(world, entrant, number, observe));
    options.advance(unreported + entrant.rounds - played);  // a search may end early
  }
  return all;
}

/// The decimals with which the standard error shows two digits; of an exact number, three digits.
int decimals_for(const Estimate& estimate) {
  const double size = estimate.standard_error > 0.0 ? estimate.standard_error : std::fabs(estimate.mean) / 10.0;
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

}  // namespace

Estimate estimate_of(std::span<const double> values) {
  assert(!values.empty());
  const auto count = static_cast<double>(values.size());
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  const double mean = sum.value() / count;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {mean, values.size() < 2 ? unknown : std::sqrt(squares.value() / (count - 1.0) / count)};
}

std::string estimate_text(const Estimate& estimate) {
  if (!std::isfinite(estimate.mean)) return "-";
  const int decimals = decimals_for(estimate);
  std::string mean = whole_or_text(estimate.mean, decimals);
  if (!(estimate.standard_error > 0.0)) return mean;  // of an exact number, and of a single trial
  return fmt::format("{} ± {}", mean, whole_or_text(estimate.standard_error, decimals));
}

Estimate estimate_over_trials(const EntrantResult& result, const std::function<double(const TrialResult&)>& number) {
  return estimate_of(by_trial(result, number));
}

std::vector<double> by_trial(const EntrantResult& result, const std::function<double(const TrialResult&)>& number) {
  std::vector<double> numbers;
  numbers.reserve(result.trials.size());
  for (const TrialResult& trial : result.trials) numbers.push_back(number(trial));
  return numbers;
}

Estimate EntrantResult::regret() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return trial.regret; });
}

Estimate EntrantResult::reward() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return trial.reward; });
}

Estimate EntrantResult::features_found() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return static_cast<double>(trial.features_found); });
}

Estimate EntrantResult::explored() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return static_cast<double>(trial.explored); });
}

std::vector<Estimate> EntrantResult::curve() const {
  std::vector<Estimate> curve;
  for (std::size_t point = 0; point < trials.front().curve.size(); ++point)
    curve.push_back(estimate_over_trials(*this, [point](const TrialResult& trial) { return trial.curve[point]; }));
  return curve;
}

std::int64_t rounds_of(const Study& study) {
  std::int64_t rounds = 0;
  for (const Entrant& entrant : study.entrants) rounds += study.trials * entrant.rounds;
  return rounds;
}

std::vector<EntrantResult> run_study(const Study& study, const StudyRunOptions& options) {
  std::vector<EntrantResult> results;
  results.reserve(study.entrants.size());
  for (const Entrant& entrant : study.entrants) results.push_back({entrant, {}});
  std::int64_t next = 0;
  // Twice as many trials under way as threads: so none idles while outcomes wait for their turn, and memory is bounded.
  std::vector<TrialOfAll> under_way(2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
  ordered_pipeline(
      under_way,
      [&](TrialOfAll& all) {
        all.trial = next;
        return next++ < study.trials;
      },
      [&](TrialOfAll& all) { all = run_one_trial(study, all.trial, options); },
      [&](TrialOfAll& all) {
        if (options.trace_line) options.write_trace(all.trace);
        for (std::size_t n = 0; n < results.size(); ++n) results[n].trials.push_back(std::move(all.results[n]));
      });
  return results;
}

}  // namespace inkling::bench
