// A bound that about a given number of documents reach, told from a sample.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace inkling {

/// Every eighth of the bounds considered: enough to cut a list of thousands to a few hundred, where a few
/// more or fewer do not matter. The same at any number of threads, if samples are appended in one order.
class BoundSample {
 public:
  void consider(double bound) {
    if (considered_++ % kStride == 0) sample_.push_back(bound);
  }

  /// What was considered is one part of `parts`.
  void scale(std::int32_t parts) { considered_ *= static_cast<std::size_t>(parts); }

  /// Reached by about `wanted` of the bounds; by every one where there are not many more.
  [[nodiscard]] double threshold(std::size_t wanted) {
    const std::size_t all = considered_;
    if (all <= wanted + wanted / 2 || sample_.empty()) return -std::numeric_limits<double>::infinity();
    const auto rank = static_cast<std::size_t>(static_cast<double>(sample_.size()) *
                                               static_cast<double>(wanted) / static_cast<double>(all));
    const auto place = sample_.begin() + static_cast<std::ptrdiff_t>(std::min(rank, sample_.size() - 1));
    std::ranges::nth_element(sample_, place, std::greater());
    return *place;
  }

 private:
  static constexpr std::size_t kStride = 8;

  std::size_t considered_ = 0;
  std::vector<double> sample_;
};

}  // namespace inkling
