// What events teach: the model that a policy has after them, ready to score with.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/linear_model.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/pool_matrix.hpp"
#include "io/session/event.hpp"

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

/// The presets that can learn from events alone: what they believe is a function of what was seen.
[[nodiscard]] bool learns_from_events(const Preset& preset) noexcept;

/// A model that has learned, and what multiplies its widths. Lifetime: lends the played pool.
struct TaughtModel {
  std::unique_ptr<LinearModel> model;
  double radius = 0.0;
};

/// What the preset's policy believes after these events, from an empty start. With the marked features in
/// use: in order, the reward of each event, then each of its features that is not in use yet. With all of
/// them: every feature has its precision first, of soft marks the one that all events together give it
/// (`MarkBeliefs`: their order does not matter), then the rewards are learned; that is the same model, for
/// far less work than a precision that changes under it. In the end the model is refined, so that it is as
/// exact as a fresh factorisation.
///
/// `options.expected_rounds` is not looked at: how many documents were played is known. Requires:
/// learns_from_events(preset); the events' documents are in the pool, their features and rewards what a model
/// accepts, at most kLargestGram features marked. Throws FormatError where all features and all documents are
/// more than kLargestGram, NumericalError where the numbers break down. `between_events` may throw to end the
/// work.
[[nodiscard]] TaughtModel learn_events(
    std::span<const Event> events, const PlayedPool& played, const Preset& preset,
    const PolicyOptions& options, const std::function<void()>& between_events = [] {});

/// What is left of a model once it has learned: all that scoring needs, and nothing that lends the pool.
struct LearnedModel {
  FrozenModel scan;
  double radius = 0.0;
};

[[nodiscard]] LearnedModel frozen(const TaughtModel& taught);

}  // namespace inkling
