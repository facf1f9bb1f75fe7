// The plain twin of the Lasso: coordinate descent on a full matrix, from zero, until no weight changes.
#pragma once

#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"
#include "tests/support/dense_twin.hpp"

namespace inkling::test {

struct Observation {
  DocumentId document;
  double reward;
};

/// |y - X theta|^2 / t + penalty |theta|_1.
[[nodiscard]] Real lasso_objective(CsrView documents, std::span<const Observation> plays,
                                   std::span<const double> theta, double penalty);

/// The largest error in the conditions that hold at the minimum: with s_j = 2/t x_j.(y - X theta),
/// s_j = penalty sign(theta_j) where theta_j is not 0, |s_j| <= penalty where it is.
[[nodiscard]] Real lasso_violation(CsrView documents, std::span<const Observation> plays,
                                   std::span<const double> theta, double penalty);

/// The weights at the minimum. Fast enough for a few dozen plays and features.
[[nodiscard]] std::vector<double> reference_lasso(CsrView documents, std::span<const Observation> plays,
                                                  double penalty);

}  // namespace inkling::test
