// The best few of many documents, of those that may be ranked.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "engine/scoring/ranking.hpp"

namespace inkling {

/// The best `count` of the documents considered, as a heap whose front is the worst of them.
class BestKept {
 public:
  /// Lifetime: lends `remains`.
  BestKept(std::size_t count, const Remains& remains) : count_(count), remains_(&remains) {}

  /// Nothing, with room for as many as can still be kept here.
  [[nodiscard]] BestKept for_room() const { return {count_ - heap_.size(), *remains_}; }

  void consider(const Ranked& candidate) {
    if (!may_enter(candidate)) return;
    if ((*remains_)(candidate.document)) keep_best(heap_, count_, candidate);
  }

  /// Whether a document of this score at most could still be kept.
  [[nodiscard]] bool may_enter(const Ranked& candidate) const noexcept {
    return heap_.size() < count_ || (count_ != 0 && !ranks_before(heap_.front(), candidate));
  }

  /// No document that scores less than this can be kept; minus infinity as long as there is room.
  [[nodiscard]] double least() const noexcept {
    return heap_.size() < count_ || count_ == 0 ? -std::numeric_limits<double>::infinity() : heap_.front().score;
  }

  [[nodiscard]] const std::vector<Ranked>& kept() const noexcept { return heap_; }

 private:
  std::size_t count_;
  const Remains* remains_;
  std::vector<Ranked> heap_;
};

/// The best `count` of the documents kept for several parts, best first.
[[nodiscard]] std::vector<Ranked> best_of_parts(std::span<const BestKept> parts, std::size_t count);

}  // namespace inkling
