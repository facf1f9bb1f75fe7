// How far a model moves from the truth by rounding alone, after many rewards.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/cholesky_factor.hpp"

namespace inkling::bench {

struct DriftOptions {
  std::int64_t updates = 1'000'000;
  std::int32_t relevant = 200;      ///< m: every column of the documents is relevant.
  std::int32_t documents = 20'000;  ///< drawn again and again, each equally likely.
  double ridge = 1.0;
  FactorKind factor = FactorKind::cholmod;
  std::int64_t refine_every = 0;  ///< updates between two calls of RidgeModel::refine; 0 is never.
  std::uint64_t seed = 1;
};

/// One quantity of the model against its value in extended precision.
struct DriftFigure {
  std::string name;  ///< for JSON: "theta"
  std::string meaning;
  double error = 0.0;
  std::optional<double> required;

  [[nodiscard]] bool passes() const noexcept { return !required || error <= *required; }
};

struct DriftReport {
  double log_det_ratio = 0.0;  ///< ln det V - m ln lambda, in extended precision
  double condition = 0.0;      ///< of V
  double seconds = 0.0;        ///< of the updates, refinements counted, everything else not
  std::int64_t rebuilds = 0;   ///< how often trouble made the model rebuild itself
  std::vector<DriftFigure> figures;
};

/// `advance` hears of every few updates, with how many they were; what it throws ends the measurement.
/// Requires: updates, documents and refine_every >= 0, relevant >= 16, ridge > 0.
[[nodiscard]] DriftReport measure_drift(const DriftOptions& options,
                                        const std::function<void(std::int64_t)>& advance);

}  // namespace inkling::bench
