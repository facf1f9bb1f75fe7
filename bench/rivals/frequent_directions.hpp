// A sketch of the played documents: a few rows whose gram is nearly theirs, and the eigenvectors that shrink it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling::bench {

/// A = sum of values[r] v_r v_r', with orthonormal v_r.
struct SymmetricEigen {
  std::vector<double> values;   ///< descending
  std::vector<double> vectors;  ///< v_r is row r

  [[nodiscard]] std::span<const double> vector(std::size_t r) const noexcept {
    return std::span(vectors).subspan(r * values.size(), values.size());
  }
};

/// Householder's tridiagonal form and implicit QL steps on it: exact to a few roundings of the largest value.
/// Requires: `matrix` is size x size and symmetric, its squares do not overflow. Throws NumericalError where
/// an entry is not finite.
[[nodiscard]] SymmetricEigen symmetric_eigen(std::vector<double> matrix, std::size_t size);

/// A sketch keeps twice as many rows, each as long as the pool is wide.
inline constexpr std::int32_t kLargestSketch = 2048;

/// Frequent directions (Liberty 2013; Ghashami, Liberty, Phillips and Woodruff 2016) of the rows X that were
/// appended, m directions: S has at most 2m rows, and
///   0 <= X'X - S'S <= lost() I      lost() <= |X|_F^2 / (m + 1)
/// Where X has rank m or less, S'S is X'X to rounding. A row costs one product with S; when S is full, m
/// rows later, `shrink` turns it into m orthogonal ones and takes the (m + 1)-th eigenvalue of S'S from each.
///
/// S lies in memory column by column, so that its product with a sparse row reads one stretch for each word,
/// and a shrink skips the words that no row has.
/// Thread safety: const members may be called from several threads at once.
class FrequentDirections {
 public:
  /// No more directions than columns are kept: that many lose nothing. Throws FormatError unless there are
  /// from 1 to kLargestSketch.
  FrequentDirections(std::int32_t columns, std::int32_t directions);

  /// 2m.
  [[nodiscard]] std::size_t most_rows() const noexcept { return 2 * directions_; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] bool full() const noexcept { return rows_ == most_rows(); }

  /// Sum of what shrinks took.
  [[nodiscard]] double lost() const noexcept { return lost_; }

  /// A column of S. Valid until the next change. Requires: a feature below the number of columns.
  [[nodiscard]] std::span<const double> column(FeatureId feature) const noexcept {
    return std::span(columns_).subspan(static_cast<std::size_t>(feature) * most_rows(), rows_);
  }

  /// product = S x. Requires: product.size() == rows(), the row's features are below the number of columns.
  void multiply(SparseRow x, std::span<double> product) const noexcept;
  /// The same for a dense x with an entry for each column.
  void multiply(std::span<const double> x, std::span<double> product) const noexcept;

  /// S grows by the row x; `product` is S x as it was before. Requires: not full.
  void append(SparseRow x, std::span<const double> product);

  /// Leaves orthogonal rows, m of them at most, the longest first.
  void shrink();

  /// The squared length of a row. Requires: r < rows().
  [[nodiscard]] double squared_length(std::size_t r) const noexcept { return gram_[r * most_rows() + r]; }

 private:
  void add_to(std::span<double> product, double factor, FeatureId feature) const noexcept;
  void mix_rows(std::span<const double> shares, std::size_t kept);

  std::size_t directions_;
  std::size_t features_;
  std::size_t rows_ = 0;
  double lost_ = 0.0;
  std::vector<double> columns_;     // by feature, then row; room for 2m rows each
  std::vector<double> gram_;        // S S', 2m x 2m, in its first rows() rows and columns
  std::vector<std::uint8_t> seen_;  // by feature: some row has it
};

}  // namespace inkling::bench
