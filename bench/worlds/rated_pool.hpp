// A pool in which each document always has the same reward. So programs that choose the same documents see
// the same rewards.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/worlds/mark_model.hpp"
#include "bench/worlds/synthetic_pool.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

struct RatingOptions {
  std::int32_t relevant = 100;
  FrequencyBand frequency = {0.01, 0.3};  ///< of the relevant features
  double reward_scale = 10.0;
  double noise = 0.1;  ///< standard deviation, one draw a document
  double mark_probability = 0.1;
  std::uint64_t seed = 1;
};

/// Rewards are reward_scale * x.theta* + noise, with theta* standard normal on the relevant features.
/// Lifetime: lends the pool.
struct RatedPool {
  PoolView pool;
  std::vector<FeatureId> relevant;  ///< ascending
  std::vector<double> rewards;      ///< by document
  MarkModel marks;                  ///< of the relevant features
};

/// Draws the relevant features among those within the band.
/// Throws FormatError where fewer than asked for lie there.
[[nodiscard]] RatedPool rate_pool(PoolView pool, const RatingOptions& options);

/// The same for a list that is given. Requires: ascending, each once, features of the pool.
[[nodiscard]] RatedPool rate_pool(PoolView pool, std::vector<FeatureId> relevant,
                                  const RatingOptions& options);

}  // namespace inkling::bench
