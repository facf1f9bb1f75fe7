// The plain twin of linear algebra: a full matrix in long double and the textbook's L D L'.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/model/relevant_features.hpp"

namespace inkling::test {

using Real = long double;

/// A square matrix, every entry stored.
class SquareMatrix {
 public:
  explicit SquareMatrix(std::size_t size) : size_(size), entries_(size * size, 0.0L) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Real& at(std::size_t i, std::size_t j) { return entries_.at(i * size_ + j); }
  [[nodiscard]] Real at(std::size_t i, std::size_t j) const { return entries_.at(i * size_ + j); }

 private:
  std::size_t size_;
  std::vector<Real> entries_;
};

[[nodiscard]] SquareMatrix identity_times(std::size_t size, Real factor);

/// V = L D L', computed row by row from the definition, without reordering.
class TextbookFactor {
 public:
  /// Throws NumericalError where a pivot is not positive.
  explicit TextbookFactor(const SquareMatrix& gram);

  [[nodiscard]] std::vector<Real> solve(std::span<const Real> b) const;
  [[nodiscard]] SquareMatrix inverse() const;
  [[nodiscard]] Real log_det() const;

  /// A z with A = L'^-1 D^-1/2, so that A A' = V^-1.
  [[nodiscard]] std::vector<Real> colour(std::span<const double> z) const;

 private:
  SquareMatrix lower_;
  std::vector<Real> pivots_;
};

/// What CholeskyFactor is compared with: it keeps V itself and factors it again for each question.
class DenseTwinFactor {
 public:
  DenseTwinFactor(std::size_t size, Real ridge) : gram_(identity_times(size, ridge)) {}

  [[nodiscard]] std::size_t size() const noexcept { return gram_.size(); }
  [[nodiscard]] const SquareMatrix& gram() const noexcept { return gram_; }
  [[nodiscard]] TextbookFactor factor() const { return TextbookFactor(gram_); }

  void update(RestrictedRow x, Real weight = 1.0L);
  void append(std::span<const double> b, double c);

 private:
  SquareMatrix gram_;
};

/// The row with its zeros.
[[nodiscard]] std::vector<Real> spelled_out(RestrictedRow x, std::size_t size);

[[nodiscard]] Real inner(std::span<const Real> a, std::span<const Real> b);

}  // namespace inkling::test
