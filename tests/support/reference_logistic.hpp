// The plain twin of the L1 logistic regression: proximal gradient steps until no weight changes.
#pragma once

#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling::test {

/// The weights of all features, then the constant.
using LogisticWeights = std::vector<double>;

/// penalty * (|w|_1 + |c|) + sum over rows of ln(1 + exp(-sign (x.w + c))).
[[nodiscard]] double logistic_objective(CsrView rows, std::span<const double> signs,
                                        const LogisticWeights& weights, double penalty);

/// The derivative of the sum, without the penalty.
[[nodiscard]] LogisticWeights logistic_slopes(CsrView rows, std::span<const double> signs,
                                              const LogisticWeights& weights);

/// The minimum, to about 1e-9 in the objective. For a few dozen rows and features with values around 1.
[[nodiscard]] LogisticWeights reference_logistic(CsrView rows, std::span<const double> signs, double penalty);

}  // namespace inkling::test
