// What a model of rewards learns from, one row at a time, and the limits within which it does.
#pragma once

#include <cstdint>

#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// A row to learn, with its reward and its weight.
struct Observation {
  std::int64_t key = 0;  ///< the caller's number of the row: that of a document, or documents + feature of a word
  SparseRow row = {};
  double reward = 0.0;
  double base = 0.0;    ///< the value of the base feature in this row; 0 for a word on its own
  double weight = 1.0;  ///< above 0; 2 counts as two observations
};

/// The new weight and rewards of a row that was observed before.
struct Recount {
  std::int64_t key = 0;
  double weight = 1.0;
  double reward_sum = 0.0;      ///< of rewards times their weights
  double reward_squares = 0.0;  ///< of squared rewards times their weights
};

/// A feature and its new precision.
struct Reweighed {
  FeatureId feature = 0;
  double precision = 0.0;
};

/// What is known of a feature's weight beforehand: as much as a reward of this weight of a row of this feature alone, of value 1.
struct Belief {
  FeatureId feature = 0;
  double reward = 0.0;
  double weight = 1.0;
};

/// The largest |reward| a model accepts: its square still adds up over any run without overflow.
inline constexpr double kLargestReward = 1e100;

/// The weights that an observation may have.
inline constexpr double kSmallestWeight = 1e-9;
inline constexpr double kLargestWeight = 1e9;

/// Throws FormatError, naming the document, unless the reward is finite and at most kLargestReward in size.
void check_reward(std::int64_t document, double reward);

/// Throws FormatError on a reward, a base value or a weight that no model accepts.
void check_observation(const Observation& observation);

}  // namespace inkling
