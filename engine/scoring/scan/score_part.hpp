// What one feature of a document has to do with its score.
#pragma once

#include "engine/core/ids.hpp"

namespace inkling {

/// It adds value * weight to the mean and value * smoothed to the squared width.
struct ScorePart {
  FeatureId feature = 0;
  double value = 0.0;     ///< x_j
  double weight = 0.0;    ///< theta_j
  double variance = 0.0;  ///< (V^-1)_jj
  double smoothed = 0.0;  ///< (V^-1 x)_j
};

}  // namespace inkling
