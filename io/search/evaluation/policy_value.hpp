// What another policy would have found for each round of a log, by three estimators.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace inkling {

/// A round of a log whose probabilities are known. Those of a document are given all that was known before the round.
struct WeighedRound {
  double logged = 1.0;  ///< the probability with which the log chose its document
  double target = 0.0;  ///< that of the policy that is evaluated for the same document
  double reward = 0.0;
  double predicted = 0.0;    ///< its prediction for the document, in any unit; 0 without one
  double expectation = 0.0;  ///< the mean of its predictions over its own choice
  double square = 0.0;  ///< an unbiased estimate of what is expected of (target / logged)^2 before the draw; 0 where not known
};

/// What is expected of the round, if it is not valid: probabilities from kLeastLogged to 1 and from 0 to 1, numbers that
/// policies accept as rewards, and no negative square.
[[nodiscard]] std::optional<std::string> broken_rule_of_round(const WeighedRound& round);
inline constexpr double kLeastLogged = 1e-12;

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

struct ValueEstimate {
  std::optional<double> value = {};       ///< nothing if it is not defined
  std::optional<Interval> interval = {};  ///< nothing below kFewestEffective rounds
};

/// With w = target / logged in each round, the estimates of V, the mean over the rounds of the reward that is expected of the
/// choice of the policy, given all that was known before the round.
struct PolicyValue {
  std::int64_t rounds = 0;
  double confidence = 0.9;
  double logged = 0.0;  ///< the mean reward of the log itself
  /// As many rounds in which the policy itself chose say as much: (sum w)^2 / sum w^2, or rounds^2 / sum of squares if that is less.
  double effective = 0.0;
  double mean_weight = 0.0;  ///< of w: its expectation is 1 if the probabilities are right
  double largest_weight = 0.0;
  ValueEstimate ips = {};            ///< the mean of w r: unbiased
  ValueEstimate snips = {};          ///< sum w r / sum w; not defined if the policy would have chosen no document of the log
  ValueEstimate doubly_robust = {};  ///< the mean of q(policy) + w (r - q(document)), with q fitted to earlier rounds: unbiased
};

/// An interval from fewer effective rounds would promise more than it keeps.
inline constexpr double kFewestEffective = 10.0;

/// Intervals are those of martingale differences, with a quantile of Student's distribution for the effective rounds. A draw of a
/// large weight is so rare that the log may lack it: the variance is at least that of a residual, times the squares; that of IPS is larger
/// by the square of the reward expected of the choice, times what each square has above 1. Requires: valid rounds in the order of the log; 0 < confidence < 1. Thread safety: pure.
[[nodiscard]] PolicyValue policy_value(std::span<const WeighedRound> rounds, double confidence);

}  // namespace inkling
