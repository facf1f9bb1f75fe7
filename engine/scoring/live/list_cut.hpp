// Where to cut a long list of documents, so that those that could win soonest are on the short one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

/// What a list is to be: about how many documents, and what the best one scores, where that is known.
struct ListWish {
  std::size_t documents = 0;
  std::optional<double> best = std::nullopt;
};

/// Documents that can score as much as the level at this reach are on the list.
struct ListCut {
  double reach = 0.0;
  double level = -std::numeric_limits<double>::infinity();  ///< then all of them are
};

/// A sample of documents: enough to cut a list of thousands to a few hundred, where a few more or fewer do not
/// matter.
class StandingSample {
 public:
  /// `each`: how many documents every considered one stands for. Requires: at least 1.
  explicit StandingSample(std::size_t each) noexcept : each_(each) {}

  /// Requires: a width above 0. A mean that is not a finite float does not count.
  void consider(const Standing& standing) {
    if (std::isfinite(standing.mean)) sample_.push_back(standing);
  }

  /// Keeps about as many documents as wished, or all if there are not many more. They are those whose bounds are
  /// highest at a reach between two others: `reach`, the current one, and the reach at which as many documents as
  /// wished could score as much as the best. The first alone would leave room only for a best score that falls, the
  /// second only for drift. If more documents than wished can score so much already, all of these are kept, so that no
  /// other is better. Without a best score, bounds are compared at `far`.
  [[nodiscard]] ListCut cut(const ListWish& wish, double reach, double far) const {
    double middle = far;
    if (wish.best) {
      const double best = *wish.best;
      const auto needed = least(
          wish.documents, [&](const Standing& standing) { return (best - standing.mean) / standing.width; });
      if (!needed) return {reach};
      if (*needed <= reach) return {reach, best};
      middle = reach + kFurther * (*needed - reach);
    }
    const auto bound =
        least(wish.documents, [&](const Standing& standing) { return -standing.at_most(middle); });
    if (!bound) return {middle};
    return {middle, -*bound};
  }

 private:
  static constexpr double kFurther = 0.25;

  /// A limit that the values of about `wanted` of all documents do not exceed; nothing if there are not many more
  /// documents.
  template <typename Value>
  [[nodiscard]] std::optional<double> least(std::size_t wanted, const Value& value) const {
    const std::size_t all = each_ * sample_.size();
    if (all <= wanted + wanted / 2 || sample_.empty()) return std::nullopt;
    std::vector<double> values(sample_.size());
    std::ranges::transform(sample_, values.begin(),
                           [&](const Standing& standing) { return sort_key(value(standing)); });
    const auto rank = static_cast<std::size_t>(static_cast<double>(values.size()) *
                                               static_cast<double>(wanted) / static_cast<double>(all));
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
    std::ranges::nth_element(values, place);
    return *place;
  }

  std::size_t each_;
  std::vector<Standing> sample_;
};

}  // namespace inkling
