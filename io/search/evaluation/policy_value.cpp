#include "io/search/evaluation/policy_value.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/observation.hpp"

namespace inkling {
namespace {

double weight_of(const WeighedRound& round) { return round.target / round.logged; }

double sum_over(std::span<const WeighedRound> rounds, const auto& term) {
  CompensatedSum sum;
  for (const WeighedRound& round : rounds) sum.add(term(round));
  return sum.value();
}

/// The line through the predictions and rewards of the rounds so far, drawn towards their mean as by `kShrink` more rounds, and as
/// by one more at the expectation of the next choice: far from all predictions so far the line says nothing.
class FittedRewards {
 public:
  [[nodiscard]] double at(double prediction, double expectation) const {
    if (!(squares_ > kRounding * count_ * prediction_ * prediction_)) return reward_;
    const double reach = expectation - prediction_;
    return reward_ + products_ / (squares_ * (1.0 + kShrink / count_) + reach * reach) * (prediction - prediction_);
  }

  void add(const WeighedRound& round) {
    count_ += 1.0;
    const double before = round.predicted - prediction_;
    prediction_ += before / count_;
    reward_ += (round.reward - reward_) / count_;
    squares_ += before * (round.predicted - prediction_);
    products_ += before * (round.reward - reward_);
  }

 private:
  static constexpr double kShrink = 10.0;
  static constexpr double kRounding = 1e-18;  // predictions that differ less are taken to be equal
  double count_ = 0.0;
  double prediction_ = 0.0;  // mean
  double reward_ = 0.0;      // mean
  double squares_ = 0.0;
  double products_ = 0.0;
};

struct DoublyRobustTerms {
  std::vector<double> terms;
  double residual = 0.0;  // the mean square of a reward less its prediction, but for the first
  double spread = 0.0;    // the sum of what is expected of w^2 - 1 times the square of the reward expected of the policy's choice
};

DoublyRobustTerms doubly_robust_terms(std::span<const WeighedRound> rounds) {
  DoublyRobustTerms of;
  of.terms.reserve(rounds.size());
  FittedRewards fitted;
  CompensatedSum squares;
  CompensatedSum spread;
  for (const WeighedRound& round : rounds) {
    const double residual = round.reward - fitted.at(round.predicted, round.expectation);
    const double choice = fitted.at(round.expectation, round.expectation);
    if (!of.terms.empty()) squares.add(residual * residual);
    spread.add(std::max(0.0, round.square - 1.0) * choice * choice);
    of.terms.push_back(choice + weight_of(round) * residual);
    fitted.add(round);
  }
  of.spread = spread.value();
  of.residual = squares.value() / std::max(1.0, static_cast<double>(rounds.size()) - 1.0);
  return of;
}

// Cornish and Fisher's expansion: to 1e-3 for at least 9 degrees of freedom.
double student_quantile(double p, double freedom) {
  const double z = normal_quantile(p);
  const double cube = z * z * z;
  return z + (cube + z) / (4.0 * freedom) + (5.0 * cube * z * z + 16.0 * cube + 3.0 * z) / (96.0 * freedom * freedom);
}

// Nothing for numbers whose squares are beyond the range of double.
ValueEstimate estimate_of(double value, double error, const PolicyValue& of) {
  if (!std::isfinite(value)) return {};
  if (!(of.effective >= kFewestEffective) || !std::isfinite(error)) return {.value = value};
  const double reach = student_quantile(0.5 + 0.5 * of.confidence, of.effective - 1.0) * error;
  return {value, Interval{value - reach, value + reach}};
}

// `least` is the least variance of the mean.
ValueEstimate mean_of(std::span<const double> terms, double least, const PolicyValue& of) {
  const auto count = static_cast<double>(terms.size());
  CompensatedSum sum;
  for (const double term : terms) sum.add(term);
  const double mean = sum.value() / count;
  CompensatedSum squares;
  for (const double term : terms) squares.add((term - mean) * (term - mean));
  return estimate_of(mean, std::sqrt(std::max(squares.value() / (count - 1.0) / count, least)), of);
}

ValueEstimate self_normalised(std::span<const WeighedRound> rounds, double weights, double least, const PolicyValue& of) {
  if (!(weights > 0.0)) return {};
  const double value = sum_over(rounds, [](const WeighedRound& round) { return weight_of(round) * round.reward; }) / weights;
  const double squares = sum_over(rounds, [value](const WeighedRound& round) {
    const double term = weight_of(round) * (round.reward - value);
    return term * term;
  });
  return estimate_of(value, std::sqrt(std::max(squares / weights / weights, least)), of);
}

}  // namespace

std::optional<std::string> broken_rule_of_round(const WeighedRound& round) {
  if (!(round.logged >= kLeastLogged && round.logged <= 1.0)) return "a logged probability from 1e-12 to 1";
  if (!(round.target >= 0.0 && round.target <= 1.0)) return "a target probability from 0 to 1";
  if (!(round.square >= 0.0 && round.square <= kLargestReward)) return "a square from 0 to 1e100";
  for (const double number : {round.reward, round.predicted, round.expectation})
    if (!(std::fabs(number) <= kLargestReward)) return "numbers of at most 1e100 in size";
  return std::nullopt;
}

PolicyValue policy_value(std::span<const WeighedRound> rounds, double confidence) {
  PolicyValue of = {.rounds = std::ssize(rounds), .confidence = confidence};
  if (rounds.empty()) return of;
  const auto count = static_cast<double>(rounds.size());
  const double weights = sum_over(rounds, weight_of);
  const double squares = sum_over(rounds, [](const WeighedRound& round) { return weight_of(round) * weight_of(round); });
  of.logged = sum_over(rounds, [](const WeighedRound& round) { return round.reward; }) / count;
  of.effective = squares > 0.0 ? weights * weights / squares : 0.0;
  const double expected = sum_over(rounds, [](const WeighedRound& round) { return round.square; });
  if (expected > 0.0) of.effective = std::min(of.effective, count / expected * count);
  of.mean_weight = weights / count;
  for (const WeighedRound& round : rounds) of.largest_weight = std::max(of.largest_weight, weight_of(round));
  std::vector<double> weighed(rounds.size());
  std::ranges::transform(rounds, weighed.begin(), [](const WeighedRound& round) { return weight_of(round) * round.reward; });
  const DoublyRobustTerms robust = doubly_robust_terms(rounds);
  const double noise = expected / count / count * robust.residual;
  of.ips = mean_of(weighed, noise + robust.spread / count / count, of);
  of.snips = self_normalised(rounds, weights, noise, of);
  of.doubly_robust = mean_of(robust.terms, noise, of);
  return of;
}

}  // namespace inkling
