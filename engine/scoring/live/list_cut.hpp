// Where to cut a long list of documents, so that those that could win soonest are on the short one.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "engine/scoring/live/restricted_score.hpp"

namespace inkling {

/// The approximate length of a list, and the score of the best document, if known.
struct ListGoal {
  std::size_t documents = 0;
  std::optional<double> best = std::nullopt;
};

/// Documents that can score as much as the level at this reach are on the list.
struct ListCut {
  double reach = 0.0;
  double level = -std::numeric_limits<double>::infinity();  ///< minus infinity: all documents are on the list
};

/// A sample of documents: enough to cut a list of thousands to a few hundred, where a few more or fewer do not
/// matter.
class LineSample {
 public:
  /// One document in `each` is considered. Requires: at least 1.
  explicit LineSample(std::size_t each) noexcept : each_(each) {}

  /// Requires: a width above 0. A mean that is not a finite float does not count.
  void consider(const ReachLine& line) {
    if (std::isfinite(line.mean)) sample_.push_back(line);
  }

  /// Keeps about `goal.documents` documents, or all if there are not many more: those whose bounds are highest at a reach between
  /// `reach`, the current one, and the reach at which that many documents could score as much as the best. The first alone would
  /// allow only for a best score that falls, the second only for drift. If more documents can already score that much, all of
  /// these are kept, so that no other is better. Without a best score, bounds are compared at `far`.
  [[nodiscard]] ListCut cut(const ListGoal& goal, double reach, double far) const;

 private:
  /// A limit that the values of about `wanted` of all documents do not exceed; nothing if there are not many more
  /// documents.
  template <typename Value>
  [[nodiscard]] std::optional<double> least(std::size_t wanted, const Value& value) const;

  std::size_t each_;
  std::vector<ReachLine> sample_;
};

}  // namespace inkling
