// The documents that may still be chosen.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/core/id_map.hpp"
#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling {

/// A set of rows with a uniform draw in constant time. The rows are a list; a removed row changes places with the last
/// one, so their order depends on the removals alone. Only rows that were removed, or are not at their own place, take
/// memory.
class RemainingDocuments {
 public:
  /// All rows of a pool except those left out, which ascend. Draws are those of a pool without them. Lifetime: lends
  /// them. Requires: documents >= 0.
  explicit RemainingDocuments(std::int32_t documents, std::span<const DocumentId> left_out = {})
      : left_out_(left_out), size_(documents - static_cast<std::int32_t>(left_out.size())) {
    assert(size_ >= 0);
  }

  [[nodiscard]] std::int32_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// Requires: a row of the pool.
  [[nodiscard]] bool contains(DocumentId document) const noexcept {
    return place_of_.find(document) != kGone && !std::binary_search(left_out_.begin(), left_out_.end(), document);
  }

  /// Requires: contained.
  void remove(DocumentId document) {
    assert(contains(document));
    const std::int32_t moved_to = place_of_.find(document);
    const std::int32_t hole = moved_to == IdMap<DocumentId>::kNone ? own_place(document) : moved_to;
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
    return row == IdMap<std::int32_t>::kNone ? own_row(place) : row;
  }

  // The place-th row that is not left out, counted from 0, and back.
  [[nodiscard]] DocumentId own_row(std::int32_t place) const noexcept {
    std::int32_t before = 0;
    for (auto end = static_cast<std::int32_t>(left_out_.size()); before < end;) {
      const std::int32_t middle = before + (end - before) / 2;
      if (left_out_[static_cast<std::size_t>(middle)] - middle <= place)
        before = middle + 1;
      else
        end = middle;
    }
    return place + before;
  }
  [[nodiscard]] std::int32_t own_place(DocumentId row) const noexcept {
    return row - static_cast<std::int32_t>(std::lower_bound(left_out_.begin(), left_out_.end(), row) - left_out_.begin());
  }

  std::span<const DocumentId> left_out_;
  std::int32_t size_;
  IdMap<std::int32_t> row_at_;  // by place; a place that is missing holds its own row
  IdMap<DocumentId> place_of_;  // by row; a row that is missing is at its own place
};

}  // namespace inkling
