// What a person said of one document: how good it was, and what made it so.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

struct Event {
  std::int64_t document = 0;  ///< a row of the pool, or of several pools counted through
  double reward = 0.0;
  std::vector<FeatureId> features = {};  ///< those marked, as they were named; one may be there twice
  /// How sure each of those marks is, in (0, 1]; empty where all are certain.
  std::vector<double> confidences = {};

  bool operator==(const Event&) const = default;
};

}  // namespace inkling
