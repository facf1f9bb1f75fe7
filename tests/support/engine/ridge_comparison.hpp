// The difference between a RidgeModel and its plain twin.
#pragma once

#include <algorithm>

#include "engine/model/ridge_model.hpp"
#include "tests/support/engine/reference_ridge.hpp"

namespace inkling::test {

/// The largest errors, each relative to the largest right value of its kind; of ln det, to at least 1.
struct RidgeErrors {
  double theta = 0.0;
  double log_det = 0.0;
  double inverse = 0.0;
  double mean = 0.0;
  double square = 0.0;

  [[nodiscard]] double worst() const noexcept { return std::max({theta, log_det, inverse, mean, square}); }
};

/// Requires: the same features in the same order.
[[nodiscard]] RidgeErrors errors_of(const RidgeModel& model, const SolvedRidge& right, PoolView pool);

}  // namespace inkling::test
