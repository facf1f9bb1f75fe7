// K = L D L' of the kernel matrix of the played documents: grows by a row a document, and takes rank-one
// changes of either sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inkling {

/// The factor of a symmetric positive definite matrix. The rows of L are stored one after another, so adding a row moves no
/// other, and both triangular solves read memory in order.
///
/// Every member that changes the factor throws NumericalError on an entry that is not finite and on a pivot
/// that is no longer positive; the factor must then be rebuilt. Thread safety: const members may be called
/// from several threads at once.
class KernelFactor {
 public:
  KernelFactor() = default;

  /// Copies another factor from its `lower` and `pivots`. Requires: n pivots, all above 0, and n (n - 1) / 2 entries of `lower`.
  KernelFactor(std::vector<double> lower, std::vector<double> pivots);

  [[nodiscard]] std::size_t size() const noexcept { return pivots_.size(); }

  /// No rows.
  void clear() noexcept;

  /// K grows by a last row and column. `lower` is L^-1 of the new column without its last entry (`solve_lower` of it). Returns
  /// the new pivot, the Schur complement of `corner`. Requires: lower.size() == size().
  double append(std::span<const double> lower, double corner);

  /// K loses the row and column of this index; those after it move one down. Requires: index < size().
  void remove(std::size_t index);

  /// K += weight x x', with x zero before `first`. Overwrites x. Requires: x.size() == size().
  void add(double weight, std::span<double> x, std::size_t first);

  /// K += diag(change), with a new factor of all of it. Requires: change.size() == size().
  void add_to_diagonal(std::span<const double> change);

  /// b = L^-1 b, with b zero before `first`. Requires: b.size() == size().
  void solve_lower(std::span<double> b, std::size_t first) const noexcept;

  /// How many right-hand sides `solve_lower_together` takes.
  static constexpr std::size_t kRowsTogether = 16;

  /// `solve_lower` of the first `size()` entries of each side, on several threads and with the same bits.
  /// Requires: at most kRowsTogether sides, each of `size()` entries or more.
  void solve_lower_together(std::span<std::vector<double>> sides) const;

  /// Continues `solve_lower`: the entries before `solved` are already solved. Requires: b.size() <= size().
  void continue_solving(std::span<double> b, std::size_t solved) const noexcept;

  /// b = L'^-1 b. Requires: b.size() == size().
  void solve_upper(std::span<double> b) const noexcept;

  /// b = L'^-1 D^-1 b: the rest of K^-1 b after `solve_lower`. Requires: b.size() == size().
  void finish_solve(std::span<double> b) const noexcept;

  /// Right-hand sides that `quadratic_forms` takes together: each row of L is then read once for all of them.
  static constexpr std::size_t kSidesTogether = 8;

  /// forms[s] = b_s' K^-1 b_s, with b_s[i] = sides[i * kSidesTogether + s]; each has the same bits whatever the others
  /// are. Overwrites the sides. Requires: sides.size() == size() * kSidesTogether.
  void quadratic_forms(std::span<double> sides, std::span<double, kSidesTogether> forms) const noexcept;

  /// L below its diagonal, row by row.
  [[nodiscard]] std::span<const double> lower() const noexcept { return lower_; }

  /// D.
  [[nodiscard]] std::span<const double> pivots() const noexcept { return pivots_; }

 private:
  /// Entry (i, j) of L, j < i, is row(i)[j]; the diagonal of ones is not stored.
  [[nodiscard]] double* row(std::size_t i) noexcept { return lower_.data() + (i * i - i) / 2; }
  [[nodiscard]] const double* row(std::size_t i) const noexcept { return lower_.data() + (i * i - i) / 2; }

  std::vector<double> lower_;
  std::vector<double> pivots_;
  std::vector<double> shares_;  // of one rank-one change, by column
};

}  // namespace inkling
