// How regret grows from one octave of rounds to the next, once every relevant word is marked.
#pragma once

#include <vector>

#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Regret of octave after octave, in trials in which every word was marked before the first of them. If
/// regret is a + b T^g, that of an octave is a multiple of T^g whatever came before: its exponent is g.
struct Octaves {
  std::vector<double> start;                  ///< the round before an octave; it ends at twice that
  std::vector<std::vector<double>> by_trial;  ///< regret by octave, of the trials that count
  Estimate exponent;                          ///< not finite where too few count
};

/// The last `count` octaves of the trials.
[[nodiscard]] Octaves octaves_of(const EntrantResult& result, int count);

}  // namespace inkling::bench
