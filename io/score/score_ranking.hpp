// The best documents of one user, picked while a scan goes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "io/session/learning.hpp"

namespace inkling {

struct ScoredDocument {
  std::int64_t document = 0;
  double mean = 0.0;
  double square = 0.0;  ///< the squared width
  double ucb = 0.0;
};

/// Higher ucb first, ties to the lower row (engine/scoring/ranking.hpp).
[[nodiscard]] constexpr bool ranks_before(const ScoredDocument& left, const ScoredDocument& right) noexcept {
  return left.ucb > right.ucb || (left.ucb == right.ucb && left.document < right.document);
}

/// Keeps the best `count` of all documents except those left out. The result does not depend on how documents
/// are cut into blocks, nor on the order of picking.
/// Thread safety: pick() from any thread, each with a slot of its own; merge() by one thread at a time, in
/// order of documents.
class Ranking {
 public:
  /// Lifetime: lends `left_out`. Requires: it ascends; count >= 1.
  Ranking(std::size_t count, double radius, std::size_t slots, std::span<const PlayCount> left_out);

  /// Puts those of these consecutive documents into the slot that could be among the best. Requires: none of
  /// them has been merged.
  void pick(std::size_t slot, std::int64_t first_document, std::span<const Prediction> predictions);

  /// Takes what was picked into the slot.
  void merge(std::size_t slot);

  /// Best first. The ranking is empty afterwards.
  [[nodiscard]] std::vector<ScoredDocument> take_best();

 private:
  std::size_t count_;
  double radius_;
  std::span<const PlayCount> left_out_;
  std::vector<std::vector<ScoredDocument>> picked_;  // by slot
  std::vector<ScoredDocument> heap_;                 // its front is the worst of the best
  /// A later document that is not above it cannot be among the best.
  std::atomic<double> floor_{-std::numeric_limits<double>::infinity()};
};

}  // namespace inkling
