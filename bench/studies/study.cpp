#include "bench/studies/study.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "bench/report/power_law.hpp"
#include "engine/core/compensated_sum.hpp"

namespace inkling::bench {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double exponent_through(std::span<const double> x, const std::vector<double>& y) {
  const std::optional<PowerLaw> law = fit_power_law(x, y);
  return law ? law->exponent : kNoNumber;
}

/// Sums over the trials, point by point.
std::vector<double> summed(std::size_t points, const std::vector<std::vector<double>>& by_trial) {
  std::vector<double> sums(points, 0.0);
  for (const std::vector<double>& trial : by_trial)
    for (std::size_t n = 0; n < points; ++n) sums[n] += trial[n];
  return sums;
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
  return {mean, values.size() < 2 ? kNoNumber : std::sqrt(squares.value() / (count - 1.0) / count)};
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

bool Tuning::strictly_inside() const {
  const auto [least, most] = std::ranges::minmax(candidates, {}, &Candidate::value);
  return least.value < best().value && best().value < most.value;
}

Estimate EntrantResult::regret() const { return estimate_over_trials(*this, final_regret); }

Estimate EntrantResult::reward() const { return estimate_over_trials(*this, final_reward); }

Estimate EntrantResult::features_found() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return static_cast<double>(trial.features_found); });
}

Estimate EntrantResult::explored() const { return estimate_over_trials(*this, random_rounds); }

Estimate EntrantResult::decision_seconds() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return trial.decision_seconds; });
}

std::vector<Estimate> EntrantResult::curve() const {
  std::vector<Estimate> curve;
  for (std::size_t point = 0; point < trials.front().curve.size(); ++point)
    curve.push_back(estimate_over_trials(*this, [point](const TrialResult& trial) { return trial.curve[point]; }));
  return curve;
}

const EntrantResult& StudyResult::of(std::string_view name) const {
  const auto found =
      std::ranges::find(entrants, name, [](const EntrantResult& result) { return std::string_view(result.entrant.name); });
  assert(found != entrants.end());
  return *found;
}

Estimate difference_of(std::span<const double> one, std::span<const double> other) {
  assert(one.size() == other.size());
  std::vector<double> differences(one.begin(), one.end());
  for (std::size_t n = 0; n < differences.size(); ++n) differences[n] -= other[n];
  return estimate_of(differences);
}

Estimate ratio_of(std::span<const double> one, std::span<const double> other) {
  assert(one.size() == other.size());
  const double below = estimate_of(other).mean;
  const double ratio = estimate_of(one).mean / below;
  std::vector<double> residuals(one.begin(), one.end());
  for (std::size_t n = 0; n < residuals.size(); ++n) residuals[n] = (residuals[n] - ratio * other[n]) / below;
  return {ratio, estimate_of(residuals).standard_error};
}

double regret_until(const TrialResult& trial, std::int64_t rounds, double until) {
  assert(until >= 0.0 && until <= static_cast<double>(rounds));
  const std::vector<std::int64_t> at = checkpoints(rounds);
  assert(at.size() == trial.curve.size());
  const auto next = std::ranges::lower_bound(at, until, {}, [](std::int64_t round) { return static_cast<double>(round); });
  const auto n = static_cast<std::size_t>(next - at.begin());
  const double from = n == 0 ? 0.0 : static_cast<double>(at[n - 1]);
  const double before = n == 0 ? 0.0 : trial.curve[n - 1];
  return before + (trial.curve[n] - before) * (until - from) / (static_cast<double>(at[n]) - from);
}

double median(std::vector<double> values) {
  assert(!values.empty());
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

std::vector<double> sorted_regrets(const EntrantResult& result) {
  std::vector<double> regrets = by_trial(result, final_regret);
  std::ranges::sort(regrets);
  return regrets;
}

Estimate found_all_by(const EntrantResult& result, std::int64_t round) {
  return estimate_over_trials(
      result, [round](const TrialResult& trial) { return trial.all_found_at && *trial.all_found_at <= round ? 1.0 : 0.0; });
}

StraightLine mean_line(std::span<const double> x, const std::vector<std::vector<double>>& by_trial) {
  const auto count = static_cast<double>(x.size());
  double middle = 0.0;
  for (const double value : x) middle += value / count;
  double spread = 0.0;
  for (const double value : x) spread += (value - middle) * (value - middle);
  std::vector<double> levels;
  std::vector<double> slopes;
  for (const std::vector<double>& y : by_trial) {
    double mean = 0.0;
    double together = 0.0;
    for (std::size_t n = 0; n < x.size(); ++n) {
      mean += y[n] / count;
      together += (x[n] - middle) * y[n];
    }
    slopes.push_back(together / spread);
    levels.push_back(mean - slopes.back() * middle);
  }
  return {estimate_of(levels), estimate_of(slopes)};
}

Estimate growth_exponent(std::span<const double> x, const std::vector<std::vector<double>>& by_trial) {
  const std::vector<double> sums = summed(x.size(), by_trial);
  const auto trials = static_cast<double>(by_trial.size());
  std::vector<double> without_one;
  for (const std::vector<double>& trial : by_trial) {
    std::vector<double> rest = sums;
    for (std::size_t n = 0; n < x.size(); ++n) rest[n] -= trial[n];
    without_one.push_back(exponent_through(x, rest));
  }
  if (without_one.empty()) return {kNoNumber, kNoNumber};
  // An estimate's standard error of the mean is sqrt(squares / (n - 1) / n), a jackknife's is sqrt(squares (n
  // - 1) / n).
  const double error = by_trial.size() < 2 ? kNoNumber : (trials - 1.0) * estimate_of(without_one).standard_error;
  return {exponent_through(x, sums), error};
}

}  // namespace inkling::bench
