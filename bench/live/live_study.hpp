// A simulated search over the shards of a set, by all workers of a group together, and what its rounds cost.
#pragma once

#include <cstdint>

#include "engine/policy/presets.hpp"
#include "io/parts/live/sharded_search.hpp"

namespace inkling::bench {

/// The reader is one of a seed: some words matter, a reward is what they weigh in the document with normal noise, and half
/// of them are marked where they occur.
struct LiveReader {
  std::int32_t relevant = 50;  ///< words that matter
  double noise = 0.1;
  std::uint64_t seed = 1;
};

struct LiveStudy {
  std::int64_t rounds = 2000;
  LiveReader reader = {};
  Preset policy;
  PolicyOptions options = {};
};

/// What one worker saw; the first four are the same for all.
struct LiveResult {
  std::int64_t rounds = 0;
  std::int64_t random_plays = 0;
  std::int32_t features_in_use = 0;
  std::uint64_t choices = 0;  ///< a checksum of all documents that were chosen, in order
  double seconds = 0.0;       ///< of all rounds but the first, which makes the scores
  double choosing_seconds = 0.0;
  double first_seconds = 0.0;
  std::int64_t told_bytes = 0;  ///< of all events with their rows
};

/// Words that matter are drawn from `candidates`, which are the same for all workers. All workers call it together.
[[nodiscard]] LiveResult run_live_study(ShardGroup& group, PoolView shard, const ShardLayout& layout,
                                        const LiveStudy& study, std::vector<FeatureId> candidates);

}  // namespace inkling::bench
