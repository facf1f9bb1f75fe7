// Everything a trial happens in: the pool, the truth behind the rewards, the marks, and the reader who gives both.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/search/simulation/reader_model.hpp"
#include "io/search/simulation/synthetic_pool.hpp"
#include "io/search/simulation/topic_words.hpp"

namespace inkling {

/// What the documents of a pool are about. Lifetime: lends its owner's memory.
struct PoolTopics {
  std::span<const std::int32_t> of_documents;  ///< by document; -1 for none
  std::int32_t count = 0;
  /// What the simulated reader wants; nothing: a topic at random in each trial.
  std::optional<std::int32_t> wanted = {};
};

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
  /// If set, RewardKind::label is about one of these topics, not about the highest x.theta*, and the words that matter to the
  /// reader are its `topic_words`.
  std::optional<PoolTopics> topics = {};
  /// The words that matter, ascending, each once. Empty: the reward decides which they are.
  std::vector<FeatureId> given_words = {};
};

/// What a search has before its first round.
struct SearchStart {
  std::vector<SaidWord> words = {};        ///< rated by themselves: a query
  std::vector<DocumentId> documents = {};  ///< learned in this order, with the reader's marks in each; not shown again
};

/// These words, each rated +1 by itself.
[[nodiscard]] inline std::vector<SaidWord> words_to_find(std::span<const FeatureId> words) {
  std::vector<SaidWord> rated;
  rated.reserve(words.size());
  for (const FeatureId word : words) rated.push_back({.feature = word});
  return rated;
}

/// Lifetime: a world lends its own pool, so it does not move once made.
struct World {
  PoolView pool;
  RewardModel rewards;
  MarkModel marks;
  std::vector<FeatureId> relevant;               ///< what matters: the support of theta*, ascending
  std::shared_ptr<const PoolMatrix> pool_owner;  ///< keeps `pool` alive where this world made it
  SearchStart start = {};
};

/// A synthetic pool with its truth. A function of the options, the seed and the trial alone.
/// Throws FormatError if fewer features than requested can be relevant or irrelevant.
[[nodiscard]] World make_synthetic_world(const WorldOptions& options, std::uint64_t seed, std::uint64_t trial);

/// A truth for an existing pool, which outlives the world. `options.pool` is ignored.
/// Throws FormatError if fewer features than requested can be relevant or irrelevant, or if no document holds a word but the
/// truth has to be one.
[[nodiscard]] World make_world(PoolView pool, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial);

/// The smallest T0 by which random plays mark every relevant feature with probability 0.95, from the pool's document frequencies
/// and p, but at most `most` (the paper chooses T0 so for 20 Newsgroups).
[[nodiscard]] std::int64_t rounds_to_find_all(const World& world, std::int64_t most);

/// The answer of the reader to one document. Lifetime: lends the reader's memory until the next answer.
struct Answer {
  double reward;
  std::span<const FeatureId> marks;
  std::span<const FeatureId> new_marks;  ///< those never marked before
};

/// Answers are a function of the world, the seed, the trial and the documents shown so far.
/// Lifetime: lends the world.
class SimulatedReader {
 public:
  SimulatedReader(const World& world, std::uint64_t seed, std::uint64_t trial);

  [[nodiscard]] Answer answer(DocumentId document);

 private:
  const World& world_;
  RandomStream noise_;
  RandomStream mark_draws_;
  std::vector<bool> marked_before_;  // by feature
  std::vector<FeatureId> marks_;
  std::vector<FeatureId> new_marks_;
};

struct RatingOptions {
  std::int32_t relevant = 100;
  FrequencyBand frequency = {0.01, 0.3};  ///< of the relevant features
  double reward_scale = 10.0;
  double noise = 0.1;  ///< standard deviation, one draw a document
  double mark_probability = 0.1;
  std::uint64_t seed = 1;
};

/// A world whose rewards are reward_scale * x.theta* + noise, with theta* standard normal on the relevant features,
/// which are drawn among those within the band; only these are marked. Lifetime: lends the pool.
/// Throws FormatError if the band has fewer than requested.
[[nodiscard]] World rate_pool(PoolView pool, const RatingOptions& options);

/// The same for a list that is given. Requires: ascending, each once, features of the pool.
[[nodiscard]] World rate_pool(PoolView pool, std::vector<FeatureId> relevant, const RatingOptions& options);

}  // namespace inkling
