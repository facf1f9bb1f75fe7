#include "engine/policy/average_document.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/scoring/parallel_blocks.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {
namespace {

/// The work of one thread at a time, and of all between two calls.
constexpr std::int32_t kFeaturesTogether = 64;
constexpr std::int32_t kFeaturesBetween = 1 << 14;

std::int64_t holders(std::span<const CsrView> pools_by_feature, FeatureId feature) noexcept {
  std::int64_t count = 0;
  for (const CsrView& by_feature : pools_by_feature) count += std::ssize(by_feature.row(feature).features);
  return count;
}

/// A sum by several lanes.
class LaneSum {
 public:
  void add(std::span<const float> values) noexcept {
    std::size_t n = 0;
    for (; n + kLanes <= values.size(); n += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        sums_[lane] += static_cast<double>(values[n + lane]);
        signs_[lane] |= std::bit_cast<std::uint32_t>(values[n + lane]);
      }
    }
    for (; n < values.size(); ++n) {
      sums_[0] += static_cast<double>(values[n]);
      signs_[0] |= std::bit_cast<std::uint32_t>(values[n]);
    }
    count_ += values.size();
  }

  [[nodiscard]] double value() const noexcept {
    double sum = 0.0;
    for (const double lane : sums_) sum += lane;
    return sum;
  }

  /// Four times what this sum and a compensated one may differ by. Requires: no term is below 0.
  [[nodiscard]] double rounding() const noexcept {
    return 0x1p-51 * (static_cast<double>(count_) + 2.0 * kLanes) * value();
  }

  [[nodiscard]] bool has_negative() const noexcept {
    std::uint32_t signs = 0;
    for (const std::uint32_t lane : signs_) signs |= lane;
    return signs >> 31U != 0;
  }

 private:
  static constexpr std::size_t kLanes = 8;

  std::array<double, kLanes> sums_{};
  std::array<std::uint32_t, kLanes> signs_{};
  std::size_t count_ = 0;
};

float mean_of(std::span<const CsrView> pools_by_feature, FeatureId feature, std::int64_t count) {
  if (!is_of_average(holders(pools_by_feature, feature), count)) return 0.0F;
  const auto documents = static_cast<double>(count);
  LaneSum quick;
  for (const CsrView& by_feature : pools_by_feature) quick.add(by_feature.row(feature).values);
  if (!quick.has_negative()) {
    const auto least = static_cast<float>((quick.value() - quick.rounding()) / documents);
    const auto most = static_cast<float>((quick.value() + quick.rounding()) / documents);
    if (least == most) return least;
  }
  CompensatedSum sum;
  for (const CsrView& by_feature : pools_by_feature)
    for (const float value : by_feature.row(feature).values) sum.add(static_cast<double>(value));
  return static_cast<float>(sum.value() / documents);
}

}  // namespace

AverageDocument average_document(std::span<const CsrView> pools_by_feature,
                                 const std::function<void()>& between) {
  AverageDocument average;
  if (pools_by_feature.empty()) return average;
  std::int64_t documents = 0;
  for (const CsrView& by_feature : pools_by_feature) documents += by_feature.columns();
  const std::int32_t features = pools_by_feature.front().rows();
  std::vector<float> means(static_cast<std::size_t>(features));
  const RowBlocks parts(features, kFeaturesBetween);
  for (std::int32_t n = 0; n < parts.count(); ++n) {
    between();
    const RowBlock part = parts[n];
    const RowBlocks blocks(part.end - part.first, kFeaturesTogether);
    for_each_block(blocks.count(), [&](std::int32_t index) {
      for (FeatureId j = blocks[index].first; j < blocks[index].end; ++j)
        means[static_cast<std::size_t>(part.first + j)] =
            mean_of(pools_by_feature, part.first + j, documents);
    });
  }
  for (FeatureId feature = 0; feature < features; ++feature) {
    const float mean = means[static_cast<std::size_t>(feature)];
    if (mean == 0.0F) continue;
    average.features.push_back(feature);
    average.values.push_back(mean);
  }
  return average;
}

}  // namespace inkling
