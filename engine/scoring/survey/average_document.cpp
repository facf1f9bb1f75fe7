#include "engine/scoring/survey/average_document.hpp"

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

/// The features that one thread handles at a time, and all threads between two calls of `between`.
constexpr std::int32_t kFeaturesTogether = 64;
constexpr std::int32_t kFeaturesBetween = 1 << 14;

/// The values of one feature after the other, in the order of the documents, without those that are left out.
class FeatureValues {
 public:
  FeatureValues(std::span<const CsrView> pools_by_feature, const std::vector<bool>& left_out)
      : pools_(pools_by_feature), left_out_(left_out), pieces_(pools_.size()), kept_(pools_.size()) {}

  /// Valid until the next call.
  [[nodiscard]] std::span<const std::span<const float>> of(FeatureId feature) {
    std::int64_t first_document = 0;
    for (std::size_t n = 0; n < pools_.size(); first_document += pools_[n++].columns()) {
      const SparseRow postings = pools_[n].row(feature);
      pieces_[n] = left_out_.empty() ? postings.values : keep(postings, first_document, kept_[n]);
    }
    return pieces_;
  }

 private:
  [[nodiscard]] std::span<const float> keep(const SparseRow& postings, std::int64_t first_document,
                                            std::vector<float>& kept) const {
    kept.clear();
    for (std::size_t n = 0; n < postings.size(); ++n)
      if (!left_out_[static_cast<std::size_t>(first_document + postings.features[n])]) kept.push_back(postings.values[n]);
    return kept;
  }

  std::span<const CsrView> pools_;
  const std::vector<bool>& left_out_;           // by document; empty where none is
  std::vector<std::span<const float>> pieces_;  // by pool
  std::vector<std::vector<float>> kept_;
};

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

  /// Four times the largest possible difference between this sum and a compensated one. Requires: no term is below 0.
  [[nodiscard]] double rounding() const noexcept { return 0x1p-51 * (static_cast<double>(count_) + 2.0 * kLanes) * value(); }

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

float mean_of(std::span<const std::span<const float>> values, std::int64_t count) {
  std::int64_t holders = 0;
  for (const std::span<const float> piece : values) holders += std::ssize(piece);
  if (!is_of_average(holders, count)) return 0.0F;
  const auto documents = static_cast<double>(count);
  LaneSum quick;
  for (const std::span<const float> piece : values) quick.add(piece);
  if (!quick.has_negative()) {
    const auto least = static_cast<float>((quick.value() - quick.rounding()) / documents);
    const auto most = static_cast<float>((quick.value() + quick.rounding()) / documents);
    if (least == most) return least;
  }
  CompensatedSum sum;
  for (const std::span<const float> piece : values)
    for (const float value : piece) sum.add(static_cast<double>(value));
  return static_cast<float>(sum.value() / documents);
}

}  // namespace

AverageDocument average_document(std::span<const CsrView> pools_by_feature, const std::function<void()>& between,
                                 std::span<const std::int64_t> left_out) {
  AverageDocument average;
  if (pools_by_feature.empty()) return average;
  std::int64_t documents = 0;
  for (const CsrView& by_feature : pools_by_feature) documents += by_feature.columns();
  std::vector<bool> is_left_out(left_out.empty() ? 0 : static_cast<std::size_t>(documents));
  for (const std::int64_t document : left_out) is_left_out[static_cast<std::size_t>(document)] = true;
  documents -= std::ssize(left_out);
  const std::int32_t features = pools_by_feature.front().rows();
  std::vector<float> means(static_cast<std::size_t>(features));
  const RowBlocks parts(features, kFeaturesBetween);
  for (std::int32_t n = 0; n < parts.count(); ++n) {
    between();
    const RowBlock part = parts[n];
    const RowBlocks blocks(part.end - part.first, kFeaturesTogether);
    for_each_block(blocks.count(), [&](std::int32_t index) {
      FeatureValues values(pools_by_feature, is_left_out);
      for (FeatureId j = blocks[index].first; j < blocks[index].end; ++j)
        means[static_cast<std::size_t>(part.first + j)] = mean_of(values.of(part.first + j), documents);
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

AverageDocument average_document(CsrView by_feature, std::span<const DocumentId> left_out) {
  const std::vector<std::int64_t> documents(left_out.begin(), left_out.end());
  return average_document(
      std::span(&by_feature, 1), [] {}, documents);
}

}  // namespace inkling
