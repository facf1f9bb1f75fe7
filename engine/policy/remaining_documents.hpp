// The documents that may still be chosen.
#pragma once

#include <cassert>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling {

/// A set of rows with a uniform draw in constant time.
/// Invariant: a removed row changes places with the last of the list, so the order is a function of the
/// removals alone.
class RemainingDocuments {
 public:
  /// All rows of a pool. Requires: documents >= 0.
  explicit RemainingDocuments(std::int32_t documents)
      : rows_(static_cast<std::size_t>(documents)), place_(static_cast<std::size_t>(documents)) {
    std::iota(rows_.begin(), rows_.end(), 0);
    std::iota(place_.begin(), place_.end(), 0);
  }

  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(rows_.size()); }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

  /// Requires: a row of the pool.
  [[nodiscard]] bool contains(DocumentId document) const noexcept {
    return place_[static_cast<std::size_t>(document)] != kGone;
  }

  /// Requires: contained.
  void remove(DocumentId document) noexcept {
    assert(contains(document));
    const std::int32_t hole = std::exchange(place_[static_cast<std::size_t>(document)], kGone);
    const DocumentId last = rows_.back();
    rows_.pop_back();
    if (last == document) return;
    rows_[static_cast<std::size_t>(hole)] = last;
    place_[static_cast<std::size_t>(last)] = hole;
  }

  /// Uniform; one draw (and rarely more). Requires: not empty.
  [[nodiscard]] DocumentId pick(RandomStream& random) const noexcept {
    assert(!empty());
    return rows_[static_cast<std::size_t>(random.below(rows_.size()))];
  }

 private:
  static constexpr std::int32_t kGone = -1;

  std::vector<DocumentId> rows_;
  std::vector<std::int32_t> place_;  // by row
};

}  // namespace inkling
