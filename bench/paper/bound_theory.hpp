// The bound of the paper's Theorem 2 on Algorithm 2, and how measured regret grows.
#pragma once

#include <optional>
#include <vector>

#include "bench/studies/study.hpp"
#include "engine/model/confidence_radius.hpp"

namespace inkling::bench {

struct BoundSetting {
  double rounds = 0.0;    ///< T >= 4
  double relevant = 1.0;  ///< k
  /// p of Assumption 2, in (0, 1]: how likely a random play marks a given relevant feature.
  double discovery = 0.1;
  ConfidenceOptions confidence;  ///< R, S and delta
  double ridge = 1.0;            ///< lambda
};

/// The three terms that bound the regret with probability 1 - delta, for rows of length at most L = 1.
struct RegretBound {
  double finding = 0.0;    ///< until every relevant feature is marked: independent of T except for logarithms
  double exploring = 0.0;  ///< random rounds after that: sqrt(T)
  double optimism = 0.0;   ///< chosen rounds: k sqrt(T)

  [[nodiscard]] double total() const { return finding + exploring + optimism; }
};

/// The paper does not say what n is in its ln(lambda + nL/k). It is T here, as in the theorem of
/// Abbasi-Yadkori and others that the term comes from.
[[nodiscard]] RegretBound regret_bound(const BoundSetting& setting);

/// 2 S L T: no policy's regret is larger.
[[nodiscard]] double worst_regret(const BoundSetting& setting);

/// The least n such that at horizon 2^n the bound is below `worst_regret`; nothing if there is none up to 60. Ignores `rounds`.
[[nodiscard]] std::optional<int> first_power_below_worst(BoundSetting setting);

/// The regret within each octave, of trials that had marked every word before the first octave. If regret is a + b T^g, the
/// regret within an octave is a multiple of T^g for any a, so its exponent is g.
struct Octaves {
  std::vector<double> start;                  ///< the round before an octave; it ends at twice that
  std::vector<std::vector<double>> by_trial;  ///< regret by octave, of the trials that count
  Estimate exponent;                          ///< not finite where too few count
};

/// The last `count` octaves of the trials.
[[nodiscard]] Octaves octaves_of(const EntrantResult& result, int count);

}  // namespace inkling::bench
