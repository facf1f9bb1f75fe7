#include "bench/studies/study.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace inkling::bench {
namespace {

std::vector<double> numbers_of(const EntrantResult& result,
                               const std::function<double(const TrialResult&)>& number) {
  std::vector<double> numbers;
  numbers.reserve(result.trials.size());
  for (const TrialResult& trial : result.trials) numbers.push_back(number(trial));
  return numbers;
}

}  // namespace

Estimate estimate_over_trials(const EntrantResult& result,
                              const std::function<double(const TrialResult&)>& number) {
  return estimate_of(numbers_of(result, number));
}

bool Tuning::strictly_inside() const {
  const auto [least, most] = std::ranges::minmax(candidates, {}, &Candidate::value);
  return least.value < best().value && best().value < most.value;
}

Estimate EntrantResult::regret() const { return estimate_over_trials(*this, final_regret); }

Estimate EntrantResult::reward() const { return estimate_over_trials(*this, final_reward); }

Estimate EntrantResult::features_found() const {
  return estimate_over_trials(
      *this, [](const TrialResult& trial) { return static_cast<double>(trial.features_found); });
}

Estimate EntrantResult::explored() const { return estimate_over_trials(*this, random_rounds); }

Estimate EntrantResult::decision_seconds() const {
  return estimate_over_trials(*this, [](const TrialResult& trial) { return trial.decision_seconds; });
}

std::vector<Estimate> EntrantResult::curve() const {
  std::vector<Estimate> curve;
  for (std::size_t point = 0; point < trials.front().curve.size(); ++point) {
    curve.push_back(
        estimate_over_trials(*this, [point](const TrialResult& trial) { return trial.curve[point]; }));
  }
  return curve;
}

const EntrantResult& StudyResult::of(std::string_view name) const {
  const auto found = std::ranges::find(
      entrants, name, [](const EntrantResult& result) { return std::string_view(result.entrant.name); });
  assert(found != entrants.end());
  return *found;
}

Estimate paired_difference(const EntrantResult& one, const EntrantResult& other,
                           const std::function<double(const TrialResult&)>& number) {
  assert(one.trials.size() == other.trials.size());
  std::vector<double> differences = numbers_of(one, number);
  for (std::size_t n = 0; n < differences.size(); ++n) differences[n] -= number(other.trials[n]);
  return estimate_of(differences);
}

Estimate paired_ratio(const EntrantResult& one, const EntrantResult& other,
                      const std::function<double(const TrialResult&)>& number) {
  assert(one.trials.size() == other.trials.size());
  const double below = estimate_over_trials(other, number).mean;
  const double ratio = estimate_over_trials(one, number).mean / below;
  std::vector<double> residuals = numbers_of(one, number);
  for (std::size_t n = 0; n < residuals.size(); ++n) {
    residuals[n] = (residuals[n] - ratio * number(other.trials[n])) / below;
  }
  return {ratio, estimate_of(residuals).standard_error};
}

}  // namespace inkling::bench
