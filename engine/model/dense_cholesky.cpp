// The Cholesky factor as a full lower triangle: fastest once most words have occurred together with most others.
#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "engine/model/dense_kernels.hpp"
#include "engine/model/factor_checks.hpp"
#include "engine/model/played_documents.hpp"

namespace inkling {
namespace {

/// Columns of L lie one after another with room for `stride_` rows, so that every inner loop runs along
/// memory. Zeros are skipped where a whole column would be multiplied by one, and so are columns of zeros, which words
/// have that no document shown holds; that changes no result.
class DenseCholesky final : public CholeskyFactor {
 public:
  [[nodiscard]] std::int32_t size() const noexcept override { return static_cast<std::int32_t>(pivots_.size()); }
  [[nodiscard]] bool has_room() const noexcept override { return pivots_.size() < stride_; }

  [[nodiscard]] std::int64_t stored_entries() const noexcept override {
    const auto n = static_cast<std::int64_t>(pivots_.size());
    return n * (n - 1) / 2;
  }

  void rebuild(const PlayedRows& rows, std::span<const double> precisions, std::int32_t capacity) override {
    const std::size_t n = precisions.size();
    const auto size = static_cast<std::int32_t>(n);
    assert(size <= capacity);
    stride_ = static_cast<std::size_t>(capacity);
    lower_.assign(stride_ * stride_, 0.0);
    pivots_.assign(precisions.begin(), precisions.end());
    workspace_.assign(n, 0.0);
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const RestrictedRow x = rows.row(t);
      check_row(x, size);
      for (std::size_t p = 0; p < x.size(); ++p) {
        const auto a = static_cast<std::size_t>(x.positions[p]);
        const double scaled = rows.weight(t) * x.values[p];
        pivots_[a] += scaled * x.values[p];
        for (std::size_t q = 0; q < p; ++q) {
          const auto b = static_cast<std::size_t>(x.positions[q]);
          column(std::min(a, b))[std::max(a, b)] += scaled * x.values[q];
        }
      }
    }
    // Right-looking elimination: column j, once divided by its pivot, is subtracted from the columns after it.
    for (std::size_t j = 0; j < n; ++j) {
      check_pivot(pivots_[j]);
      double* l = column(j);
      for (std::size_t k = j + 1; k < n; ++k) {
        const double entry = l[k];
        if (entry == 0.0) continue;
        const double scaled = entry / pivots_[j];
        pivots_[k] -= scaled * entry;
        subtract_scaled(column(k) + k + 1, scaled, l + k + 1, n - k - 1);
      }
      for (std::size_t k = j + 1; k < n; ++k) l[k] /= pivots_[j];
    }
    is_filled_.assign(n, false);
    for (std::size_t j = 0; j < n; ++j)
      is_filled_[j] = std::any_of(column(j) + j + 1, column(j) + n, [](double l) { return l != 0.0; });
  }

  void update(RestrictedRow x) override {
    check_row(x, size());
    if (x.empty()) return;
    add_rank_one(1.0, scatter(x));
  }

  void add_to_diagonal(std::int32_t position, double amount) override {
    assert(position >= 0 && position < size());
    std::ranges::fill(workspace_, 0.0);
    workspace_[static_cast<std::size_t>(position)] = 1.0;
    add_rank_one(amount, static_cast<std::size_t>(position));
  }

  double append(std::span<const double> b, double c) override {
    assert(has_room() && b.size() == pivots_.size());
    check_dense(b);
    const std::size_t n = pivots_.size();
    std::ranges::copy(b, workspace_.begin());
    const auto first_entry = std::ranges::find_if(workspace_, [](double entry) { return entry != 0.0; });
    solve_lower(static_cast<std::size_t>(first_entry - workspace_.begin()));
    CompensatedSum schur(c);
    for (std::size_t j = 0; j < n; ++j) {
      const double entry = workspace_[j] / pivots_[j];
      schur.add(-entry * workspace_[j]);
      column(j)[n] = entry;
      if (entry != 0.0) is_filled_[j] = true;
    }
    check_pivot(schur.value());
    pivots_.push_back(schur.value());
    is_filled_.push_back(false);
    workspace_.push_back(0.0);
    return schur.value();
  }

  void solve(RestrictedRow x, std::span<double> solution) const override {
    check_row(x, size());
    assert(solution.size() == pivots_.size());
    finish_solving(scatter(x), solution);
  }

  void solve(std::span<const double> b, std::span<double> solution) const override {
    check_dense(b);
    assert(b.size() == pivots_.size() && solution.size() == pivots_.size());
    std::ranges::copy(b, workspace_.begin());
    finish_solving(0, solution);
  }

  void multiply(std::span<const double> x, std::span<double> product) const override {
    assert(x.size() == pivots_.size() && product.size() == pivots_.size());
    const std::size_t n = pivots_.size();
    for (std::size_t j = 0; j < n; ++j) product[j] = pivots_[j] * (x[j] + dot(column(j) + j + 1, x.data() + j + 1, n - j - 1));
    for (std::size_t j = n; j-- > 0;) subtract_scaled(product.data() + j + 1, -product[j], column(j) + j + 1, n - j - 1);
  }

  void diagonal(std::span<double> entries) const override {
    assert(entries.size() == pivots_.size());
    std::ranges::copy(pivots_, entries.begin());
    for (std::size_t j = 0; j < pivots_.size(); ++j) {
      const double* const l = column(j);
      for (std::size_t i = j + 1; i < pivots_.size(); ++i) entries[i] += l[i] * l[i] * pivots_[j];
    }
  }

  [[nodiscard]] double inverse_form(RestrictedRow x) const override {
    check_row(x, size());
    if (x.empty()) return 0.0;
    const std::size_t first = scatter(x);
    solve_lower(first);
    return form_over_pivots(workspace_, pivots_, first);
  }

  void colour(std::span<const double> z, std::span<double> direction) const override {
    assert(z.size() == pivots_.size() && direction.size() == pivots_.size());
    for (std::size_t j = 0; j < pivots_.size(); ++j) direction[j] = z[j] / std::sqrt(pivots_[j]);
    solve_upper(direction);
  }

  [[nodiscard]] double log_det_ratio(std::span<const double> precisions) const override {
    assert(precisions.size() == pivots_.size());
    CompensatedSum sum;
    for (std::size_t j = 0; j < pivots_.size(); ++j) {
      check_pivot_holds_ridge(pivots_[j], precisions[j]);
      sum.add(natural_log(pivots_[j] / precisions[j]));
    }
    return sum.value();
  }

 private:
  /// Entry (i, j) of L is column(j)[i]; the diagonal of ones is not stored.
  [[nodiscard]] double* column(std::size_t j) noexcept { return lower_.data() + j * stride_; }
  [[nodiscard]] const double* column(std::size_t j) const noexcept { return lower_.data() + j * stride_; }

  /// V += weight w w' with w in the workspace, zero before `first`: method C1 of Gill, Golub, Murray and
  /// Saunders (1974). For weight > 0 every pivot grows, so no cancellation can occur.
  void add_rank_one(double weight, std::size_t first) {
    const std::size_t n = pivots_.size();
    double* __restrict w = workspace_.data();
    for (std::size_t j = first; j < n; ++j) {
      const double p = w[j];
      if (p == 0.0) continue;
      const double pivot = pivots_[j];
      const double grown = pivot + weight * p * p;
      check_pivot(grown);
      const double gain = weight * p / grown;
      weight *= pivot / grown;
      pivots_[j] = grown;
      is_filled_[j] = true;
      double* __restrict l = column(j);
      for (std::size_t i = j + 1; i < n; ++i) {
        w[i] -= p * l[i];
        l[i] += gain * w[i];
      }
    }
  }

  /// The row as the workspace. Returns its first position.
  std::size_t scatter(RestrictedRow x) const {
    std::ranges::fill(workspace_, 0.0);
    std::size_t first = x.empty() ? 0 : pivots_.size();
    for (std::size_t p = 0; p < x.size(); ++p) {
      const auto position = static_cast<std::size_t>(x.positions[p]);
      workspace_[position] = x.values[p];
      first = std::min(first, position);
    }
    return first;
  }

  /// solution = V^-1 workspace, which is zero before `first`.
  void finish_solving(std::size_t first, std::span<double> solution) const {
    solve_lower(first);
    divide_by_pivots(workspace_, pivots_, solution);
    solve_upper(solution);
  }

  /// workspace = L^-1 workspace, which is zero before `first`.
  void solve_lower(std::size_t first) const {
    const std::size_t n = pivots_.size();
    for (std::size_t j = first; j < n; ++j) {
      const double y = workspace_[j];
      if (y != 0.0 && is_filled_[j]) subtract_scaled(workspace_.data() + j + 1, y, column(j) + j + 1, n - j - 1);
    }
  }

  /// x = L'^-1 x.
  void solve_upper(std::span<double> x) const {
    const std::size_t n = pivots_.size();
    for (std::size_t j = n; j-- > 0;)
      if (is_filled_[j]) x[j] -= dot(column(j) + j + 1, x.data() + j + 1, n - j - 1);
  }

  std::size_t stride_ = 0;
  std::vector<double> lower_;
  std::vector<double> pivots_;             // D
  std::vector<bool> is_filled_;            // by column, whether it may hold anything but zeros below the diagonal
  mutable std::vector<double> workspace_;  // one vector of size()
};

}  // namespace

std::unique_ptr<CholeskyFactor> make_dense_cholesky() { return std::make_unique<DenseCholesky>(); }

}  // namespace inkling
