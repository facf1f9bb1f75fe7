// The Cholesky factor as a full lower triangle: fastest while most words have met most others.
#pragma once

#include <vector>

#include "engine/model/cholesky_factor.hpp"

namespace inkling {

/// Columns of L lie one after another with room for `stride_` rows, so that every inner loop runs along
/// memory. Zeros are skipped where a whole column would be multiplied by one; that changes no bit of the
/// result.
class DenseCholesky final : public CholeskyFactor {
 public:
  [[nodiscard]] std::int32_t size() const noexcept override {
    return static_cast<std::int32_t>(pivots_.size());
  }
  [[nodiscard]] bool has_room() const noexcept override { return pivots_.size() < stride_; }
  [[nodiscard]] std::int64_t stored_entries() const noexcept override;

  using CholeskyFactor::log_det_ratio;
  using CholeskyFactor::rebuild;

  void rebuild(const PlayedRows& rows, std::span<const double> precisions, std::int32_t capacity) override;
  void add_to_diagonal(std::int32_t position, double amount) override;
  void update(RestrictedRow x) override;
  double append(std::span<const double> b, double c) override;
  void remove(std::int32_t position) override;
  void solve(RestrictedRow x, std::span<double> solution) const override;
  void solve(std::span<const double> b, std::span<double> solution) const override;
  [[nodiscard]] double inverse_form(RestrictedRow x) const override;
  void colour(std::span<const double> z, std::span<double> direction) const override;
  [[nodiscard]] double log_det_ratio(std::span<const double> precisions) const override;

 private:
  /// Entry (i, j) of L is column(j)[i]; the diagonal of ones is not stored.
  [[nodiscard]] double* column(std::size_t j) noexcept { return lower_.data() + j * stride_; }
  [[nodiscard]] const double* column(std::size_t j) const noexcept { return lower_.data() + j * stride_; }

  void scatter(RestrictedRow x) const;
  void solve_lower(std::size_t first) const;
  void solve_upper(std::span<double> x) const;
  void add_rank_one(double weight, std::size_t first);

  std::size_t stride_ = 0;
  std::vector<double> lower_;
  std::vector<double> pivots_;             // D
  mutable std::vector<double> workspace_;  // one vector of size()
};

}  // namespace inkling
