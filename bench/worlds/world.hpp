// Everything a trial happens in: the pool, the truth behind the rewards, and the marks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bench/worlds/mark_model.hpp"
#include "bench/worlds/reward_model.hpp"
#include "bench/worlds/synthetic_pool.hpp"
#include "bench/worlds/topic_words.hpp"
#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/pool_matrix.hpp"

namespace inkling::bench {

enum class FeedbackKind {
  oracle,  ///< each relevant feature of the document, with probability p
  noisy,   ///< the same, and k' fixed irrelevant features are marked likewise
  none,    ///< no marks
};

/// Lifetime: lends what `topics` lends.
struct WorldOptions {
  SyntheticPoolOptions pool;
  std::int32_t relevant = 5;  ///< k
  FrequencyBand relevant_frequency;
  double norm_bound = 1.0;  ///< S, the norm of theta*
  RewardKind reward = RewardKind::linear;
  double noise = 0.1;        ///< R
  double topic_share = 0.2;  ///< of RewardKind::label
  FeedbackKind feedback = FeedbackKind::oracle;
  double mark_probability = 0.1;      ///< p
  std::int32_t irrelevant_marks = 0;  ///< k'
  /// With them, RewardKind::label is about one of these topics, not about the highest x.theta*, and the words
  /// that matter to the reader are its `topic_words`.
  std::optional<PoolTopics> topics = {};
  /// The words that matter, ascending, each once. Empty: the reward decides which they are.
  std::vector<FeatureId> given_words = {};
};

/// Lifetime: a world lends its own pool, so it does not move once made.
struct World {
  PoolView pool;
  RewardModel rewards;
  MarkModel marks;
  std::vector<FeatureId> relevant;               ///< what matters: the support of theta*, ascending
  std::shared_ptr<const PoolMatrix> pool_owner;  ///< keeps `pool` alive where this world made it
  std::vector<double> truth = {};                ///< theta*, where expected rewards are x.theta*; else empty
};

/// A synthetic pool with its truth. A function of the options, the seed and the trial alone.
/// Throws FormatError where fewer features than asked for can be relevant or irrelevant.
[[nodiscard]] World make_synthetic_world(const WorldOptions& options, std::uint64_t seed,
                                         std::uint64_t trial);

/// A truth for a pool that is there already and outlives the world. `options.pool` is ignored.
/// Throws FormatError where fewer features than asked for can be relevant or irrelevant, and where a document
/// is to be the truth and none holds a word.
[[nodiscard]] World make_world(PoolView pool, const WorldOptions& options, std::uint64_t seed,
                               std::uint64_t trial);

/// The smallest T0 by which random plays mark every relevant feature with probability 0.95, from the pool's
/// document frequencies and p, or `most` where that comes first (the paper chooses T0 so for 20 Newsgroups).
[[nodiscard]] std::int64_t rounds_to_find_all(const World& world, std::int64_t most);

}  // namespace inkling::bench
