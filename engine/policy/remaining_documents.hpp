// The documents that may still be chosen.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "engine/core/id_map.hpp"
#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling {

/// A set of rows with a uniform draw in constant time. The rows are a list from which a removed row goes by changing
/// places with the last one, so their order is a function of the removals alone. Only rows that are not at their own
/// place, or gone, take memory.
class RemainingDocuments {
 public:
  /// All rows of a pool. Requires: documents >= 0.
  explicit RemainingDocuments(std::int32_t documents) : size_(documents) { assert(documents >= 0); }

  [[nodiscard]] std::int32_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Requires: a row of the pool.
  [[nodiscard]] bool contains(DocumentId document) const noexcept {
    return place_of_.find(document) != kGone;
  }

  /// Requires: contained.
  void remove(DocumentId document) {
    assert(contains(document));
    const std::int32_t moved_to = place_of_.find(document);
    const std::int32_t hole = moved_to == IdMap<DocumentId>::kNone ? document : moved_to;
    --size_;
    const DocumentId last = row_at(size_);
    row_at_.erase(size_);
    place_of_.set(document, kGone);
    if (last == document) return;
    row_at_.set(hole, last);
    place_of_.set(last, hole);
  }

  /// Uniform; one draw (and rarely more). Requires: not empty.
  [[nodiscard]] DocumentId pick(RandomStream& random) const noexcept {
    assert(!empty());
    return row_at(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(size_))));
  }

 private:
  static constexpr std::int32_t kGone = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] DocumentId row_at(std::int32_t place) const noexcept {
    const std::int32_t row = row_at_.find(place);
    return row == IdMap<std::int32_t>::kNone ? place : row;
  }

  std::int32_t size_;
  IdMap<std::int32_t> row_at_;  // by place; a place that is missing holds the row of its own number
  IdMap<DocumentId> place_of_;  // by row; a row that is missing is at the place of its own number
};

}  // namespace inkling
