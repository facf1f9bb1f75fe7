// The plain twin of the linear classifier: many small steps down the slope of its objective.
#pragma once

#include <span>
#include <vector>

#include "bench/rivals/linear_classifier.hpp"

namespace inkling::test {

/// The weights of all features, then the constant.
using ClassifierWeights = std::vector<double>;

/// (|w|^2 + c^2) / 2 + sum of cost * loss(side * (x.w + c * constant)).
[[nodiscard]] double classifier_objective(bench::ClassifierLoss loss,
                                          std::span<const bench::ClassifierExample> examples,
                                          const ClassifierWeights& weights);

/// The derivative of the objective.
[[nodiscard]] ClassifierWeights classifier_slope(bench::ClassifierLoss loss,
                                                 std::span<const bench::ClassifierExample> examples,
                                                 const ClassifierWeights& weights);

/// The minimum, to about 1e-10 in each weight. For a few dozen examples with values around 1.
[[nodiscard]] ClassifierWeights reference_classifier(bench::ClassifierLoss loss,
                                                     std::span<const bench::ClassifierExample> examples,
                                                     std::int32_t features);

}  // namespace inkling::test
