// The Cholesky factor as CHOLMOD's simplicial L D L': smallest while few words have met.
#pragma once

#include <memory>

#include "engine/model/cholesky_factor.hpp"

namespace inkling {

/// Rows are ordered to keep L sparse at each rebuild; features born since then come last. Room for features
/// not yet born is held as rows of the identity; the room of a removed feature is given back at the next
/// rebuild, because a row added in the middle would be a downdate, which can lose definiteness where an
/// addition at the end cannot.
class SparseCholesky final : public CholeskyFactor {
 public:
  SparseCholesky();
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  SparseCholesky(SparseCholesky&&) = delete;
  SparseCholesky& operator=(SparseCholesky&&) = delete;
  ~SparseCholesky() override;

  [[nodiscard]] std::int32_t size() const noexcept override;
  [[nodiscard]] bool has_room() const noexcept override;
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
  struct State;  // everything of CHOLMOD
  std::unique_ptr<State> state_;
};

}  // namespace inkling
