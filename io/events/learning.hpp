// What events teach: the model that FF-OFUL has after them, ready to score with.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/model/confidence_radius.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/batch_scan.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/pool_matrix.hpp"
#include "io/events/event.hpp"

namespace inkling {

/// How often a document was played.
struct PlayCount {
  std::int64_t document = 0;
  std::int64_t plays = 0;

  bool operator==(const PlayCount&) const = default;
};

/// By document, ascending, each once.
[[nodiscard]] std::vector<PlayCount> play_counts(std::span<const Event> events);

/// The rows of some documents of a pool that may be far too large for memory, numbered anew in their order.
/// A model learns the same from them as from the whole pool, bit for bit, because nothing in it but the
/// played rows, and their order, matters. Move-only, as its matrix is.
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

/// All documents that any of the logs plays, ascending, each once.
[[nodiscard]] std::vector<std::int64_t> played_documents(std::span<const std::span<const Event>> logs);

/// From an empty start, in order: the reward of each event, then each of its features that is not in use
/// yet; then the model is refined, so that it is as exact as a fresh factorisation. Requires: the events'
/// documents are in the pool, their features and rewards what a model accepts, at most kLargestGram features.
/// Throws NumericalError where the numbers break down.
[[nodiscard]] RidgeModel learn_events(std::span<const Event> events, const PlayedPool& played,
                                      const RidgeOptions& options);

/// What is left of a model once it has learned: all that scoring needs, and nothing that lends the pool.
struct LearnedModel {
  BatchScan scan;
  double radius = 0.0;
};

[[nodiscard]] LearnedModel frozen(const RidgeModel& model, const ConfidenceOptions& confidence);

}  // namespace inkling
