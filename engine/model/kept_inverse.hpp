// V^-1 itself, kept entry by entry through every change of the gram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/sparse/restricted_rows.hpp"

namespace inkling {

/// A symmetric matrix with a row and a column for each relevant feature, in order of discovery. Every event
/// of a ridge model adds gain * v v' to it (RankOneChange), in m^2 operations; then a product with a sparse
/// row costs its entries times m, and a document's width its entries squared.
///
/// Rounding errors add up, so the owner compares the matrix with the Cholesky factor now and then and assigns it anew.
/// Thread safety: const members may be called from several threads at once.
class KeptInverse {
 public:
  [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(size_); }

  /// Row a, as wide as the matrix. Requires: 0 <= a < size().
  [[nodiscard]] std::span<const double> row(std::size_t a) const noexcept {
    return std::span(entries_).subspan(a * stride_, size_);
  }

  /// A last row and column of zeros.
  void append();

  /// Adds gain * v v'. Requires: v.size() == size().
  void add(std::span<const double> v, double gain);

  /// Replaces the matrix by these entries, row by row. Requires: entries.size() == size * size.
  void assign(std::int32_t size, std::span<const double> entries);

  /// x' V^-1 x, from the lower triangle.
  [[nodiscard]] double form(RestrictedRow x) const noexcept;

  /// product = V^-1 x. Requires: product.size() == size().
  void multiply(RestrictedRow x, std::span<double> product) const;

 private:
  void reserve(std::size_t size);

  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::vector<double> entries_;
};

}  // namespace inkling
