#include "engine/scoring/live/list_cut.hpp"

#include <algorithm>

#include "engine/scoring/ranking.hpp"

namespace inkling {
namespace {

constexpr double kFurther = 0.25;

}  // namespace

template <typename Value>
std::optional<double> LineSample::least(std::size_t wanted, const Value& value) const {
  const std::size_t all = each_ * sample_.size();
  if (all <= wanted + wanted / 2 || sample_.empty()) return std::nullopt;
  std::vector<double> values(sample_.size());
  std::ranges::transform(sample_, values.begin(), [&](const ReachLine& line) { return sort_key(value(line)); });
  const auto rank =
      static_cast<std::size_t>(static_cast<double>(values.size()) * static_cast<double>(wanted) / static_cast<double>(all));
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::min(rank, values.size() - 1));
  std::ranges::nth_element(values, place);
  return *place;
}

ListCut LineSample::cut(const ListGoal& goal, double reach, double far) const {
  double middle = far;
  if (goal.best) {
    const double best = *goal.best;
    const auto needed = least(goal.documents, [&](const ReachLine& line) { return (best - line.mean) / line.width; });
    if (!needed) return {reach};
    if (*needed <= reach) return {reach, best};
    middle = reach + kFurther * (*needed - reach);
  }
  const auto bound = least(goal.documents, [&](const ReachLine& line) { return -line.at_most(middle); });
  if (!bound) return {middle};
  return {middle, -*bound};
}

}  // namespace inkling
