// What the vector of each document adds to its mean, computed anew for each choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// Weights are rounded to multiples of one step, so that a product is a sum of whole numbers: the same on any processor, and most
/// of the time is spent reading the codes once. `margin` bounds what the rounding does to any document.
/// Lifetime: lends the vectors. Thread safety: none; the work inside may use all threads.
class VectorMeans {
 public:
  explicit VectorMeans(VectorView vectors);

  /// Requires: a weight for each dimension, finite.
  void take(std::span<const double> weights);

  /// Requires: weights were taken.
  [[nodiscard]] double operator[](DocumentId document) const noexcept {
    return static_cast<double>(means_[static_cast<std::size_t>(document)]);
  }
  /// Upper bound on |mean kept here - mean by the weights|, whose vectors are floats (`WholeRow`).
  [[nodiscard]] double margin() const noexcept { return margin_; }

  /// Frees what grows with the pool.
  void release() noexcept { means_ = std::vector<float>(); }

 private:
  VectorView vectors_;
  double largest_norm_ = 0.0;
  std::vector<float> means_;
  double margin_ = 0.0;
};

/// The sum of codes[k] * weights[k]. Requires: as many of each, at most VectorView::most_dimensions, and weights from
/// -kLargestStep to kLargestStep.
[[nodiscard]] std::int64_t whole_product(std::span<const std::int8_t> codes, std::span<const std::int16_t> weights) noexcept;
inline constexpr std::int16_t kLargestStep = 16383;

}  // namespace inkling
