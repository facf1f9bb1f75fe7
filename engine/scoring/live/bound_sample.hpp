// A bound that about a given number of documents reach, told from a sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace inkling {

/// A sample of bounds: enough to cut a list of thousands to a few hundred, where a few more or fewer do not
/// matter.
class BoundSample {
 public:
  /// One of how many bounds each that is considered stands for. Requires: at least 1.
  explicit BoundSample(std::size_t each) noexcept : each_(each) {}

  void consider(double bound) { sample_.push_back(bound); }

  /// Reached by about `wanted` of the bounds; by every one where there are not many more.
  [[nodiscard]] double threshold(std::size_t wanted) {
    const std::size_t all = each_ * sample_.size();
    if (all <= wanted + wanted / 2 || sample_.empty()) return -std::numeric_limits<double>::infinity();
    const auto rank = static_cast<std::size_t>(static_cast<double>(sample_.size()) *
                                               static_cast<double>(wanted) / static_cast<double>(all));
    const auto place = sample_.begin() + static_cast<std::ptrdiff_t>(std::min(rank, sample_.size() - 1));
    std::ranges::nth_element(sample_, place, std::greater());
    return *place;
  }

 private:
  std::size_t each_;
  std::vector<double> sample_;
};

}  // namespace inkling
