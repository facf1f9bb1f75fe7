// What events teach a policy, from the rows of the played documents alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// The default policy of `score` and `search`.
inline constexpr const char* kDefaultPolicy = "inkling";

/// How often a document was played.
struct PlayCount {
  std::int64_t document = 0;
  std::int64_t plays = 0;

  bool operator==(const PlayCount&) const = default;
};

/// By document, ascending, each document once; events without a document count for none.
[[nodiscard]] std::vector<PlayCount> play_counts(std::span<const Event> events);

/// How many different features are marked or rated.
[[nodiscard]] std::int64_t count_marked(std::span<const Event> events);

/// All documents that any of the logs plays, ascending, each once.
[[nodiscard]] std::vector<std::int64_t> played_documents(std::span<const EventLog> logs);

/// The rows of some documents of a pool that may be far too large for memory, numbered from 0 in their order.
/// A policy learns the same from them as from the whole pool, bit for bit, because only the played rows and
/// their order matter. Move-only, as its matrix is.
class PlayedPool {
 public:
  /// A document as a matrix of one row.
  using RowOf = std::function<CsrMatrix(std::int64_t document)>;

  /// Requires: documents ascend, each once; rows have `features` columns.
  PlayedPool(std::vector<std::int64_t> documents, std::int32_t features, const RowOf& row_of);

  /// Requires: one of the documents.
  [[nodiscard]] DocumentId number_of(std::int64_t document) const;

  /// Lifetime: valid until the pool moves or dies; hence not from a temporary.
  [[nodiscard]] PoolView view() const& noexcept { return matrix_.view(); }
  PoolView view() const&& = delete;

 private:
  std::vector<std::int64_t> documents_;
  PoolMatrix matrix_;
};

/// Whether a preset's policy can learn from events alone and then score a pool: it ranks by mean and width, or by mean
/// alone, and needs no settings but those that all optimistic policies have.
[[nodiscard]] bool learns_from_events(const Preset& preset) noexcept;

/// About how many bytes it takes to learn and then to score, if the events mark or rate so many features and play so many
/// documents.
[[nodiscard]] std::uint64_t model_bytes(const Preset& preset, std::int32_t features, std::int64_t marked,
                                        std::int64_t documents) noexcept;

/// A new policy that has learned these events and has chosen nothing yet. If a word is rated several times apart from documents,
/// the last rating counts, at its place in the order. `options.expected_rounds` and `options.scoring` are ignored: the number of
/// played documents is known, and no document is chosen.
///
/// Requires: learns_from_events(preset); the events' documents are in the pool, their features and rewards
/// what a model accepts, at most kLargestGram features marked. Throws FormatError if both the features and the documents
/// are more than kLargestGram while all features are in use, and NumericalError if the computation breaks down.
/// `between_events` may throw to end the work. Lifetime: the policy lends the played pool.
[[nodiscard]] Policy taught_policy(
    std::span<const Event> events, const PlayedPool& played, const Preset& preset, PolicyOptions options,
    const std::function<void()>& between_events = [] {});

/// What scoring needs of a policy that has learned. It holds no reference to the pool.
struct LearnedModel {
  FrozenModel scan;
  double radius = 0.0;
  double base_mean = 0.0;  ///< what a base rate adds to the mean of every document
};

/// Requires: a learner with a model and a radius.
[[nodiscard]] LearnedModel frozen(const Learner& learner);

}  // namespace inkling
