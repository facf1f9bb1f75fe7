// Ridge regression over the relevant features, kept exact through rewards and births of features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/model/cholesky_factor.hpp"
#include "engine/model/kept_inverse.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/model/relevant_features.hpp"

namespace inkling {

/// The model that keeps a factor of V, with a row for each relevant feature. The features in use are the relevant ones.
///
/// Invariants: theta and ln det are those of a fresh factorisation up to rounding; `refine` brings them back
/// to it.
class RidgeModel final : public LinearModel {
 public:
  RidgeModel(std::int32_t columns, const RidgeOptions& options);

  [[nodiscard]] const RelevantFeatures& features() const noexcept { return features_; }
  [[nodiscard]] const CholeskyFactor& factor() const noexcept { return *factor_; }

  [[nodiscard]] std::int32_t features_in_use() const noexcept override { return features_.size(); }
  /// The features in use, in order of discovery.
  [[nodiscard]] std::span<const FeatureId> coordinates() const noexcept override { return features_.in_order(); }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override { return features_.contains(feature); }
  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  [[nodiscard]] double precision(FeatureId feature) const noexcept override;
  [[nodiscard]] double least_precision() const noexcept override { return least_precision_; }

  using LinearModel::predict;
  /// One triangular solve.
  [[nodiscard]] Prediction predict(SparseRow row, double base) const override;

  /// V^-1, m x m, row by row: m solves. Without the row and the column of a base rate.
  [[nodiscard]] std::vector<double> inverse() const;
  /// The base feature's row of V^-1: its entry with itself, then with each feature in use. Requires: a base rate.
  [[nodiscard]] std::vector<double> base_inverse() const;

  [[nodiscard]] bool keeps_inverse() const noexcept { return options_.inverse == InverseUse::kept; }
  /// Its first row and column are those of a base rate, if there is one. Requires: InverseUse::kept.
  [[nodiscard]] const KeptInverse& kept_inverse() const noexcept { return kept_; }

  RankOneChange adopt(FeatureId feature) override;
  RankOneChange reweigh(FeatureId feature, double precision) override;

  /// Computes the factor, a kept V^-1 and ln det again from the played documents, and refines theta against them by one
  /// step of iterative refinement.
  void refine() override;

  [[nodiscard]] std::vector<double> draw_deviation(RandomStream& random) const override;
  [[nodiscard]] const RidgeModel* primal() const noexcept override { return this; }

  // Positions in the factor, in theta_, in precisions_ and in a kept V^-1 are those of the features, one further on with
  // a base rate, which comes first.

 protected:
  RankOneChange learn_row(const Observation& observation) override;

 private:
  /// What the played documents say of a feature that they hold.
  struct Birth {
    std::vector<double> b;  ///< its column of the gram: sum x_j x_R
    double c;               ///< its diagonal: lambda + sum x_j^2
    double residual;        ///< sum x_j (y - x.theta)
  };

  /// The row with its base value, by position in the factor. Valid until the next call.
  [[nodiscard]] RestrictedRow restricted(SparseRow row, double base) const;
  [[nodiscard]] RestrictedRow restricted_played(std::size_t place) const {
    return restricted(played_.row(place), played_.in_order()[place].base);
  }
  /// The feature's position in the factor. Requires: in use.
  [[nodiscard]] std::int32_t place_of(FeatureId feature) const noexcept {
    return *features_.position(feature) + static_cast<std::int32_t>(leading_);
  }
  [[nodiscard]] std::int32_t capacity_for(std::size_t rows) const noexcept;
  [[nodiscard]] std::vector<double> whole_inverse() const;
  void update_factor(RestrictedRow x, double weight);
  void solve(RestrictedRow x, std::span<double> solution);
  void solve_unit(std::int32_t position, std::span<double> solution) const;
  [[nodiscard]] Birth gather_birth(FeatureId feature);
  void append_feature(FeatureId feature);
  void rebuild_factor(std::int32_t capacity);
  void refine_theta();

  RidgeOptions options_;
  RelevantFeatures features_;
  std::unique_ptr<CholeskyFactor> factor_;
  std::vector<double> precisions_;
  double least_precision_;
  KeptInverse kept_;
  std::int64_t rewards_since_check_ = 0;
  mutable RestrictedRows row_;
};

}  // namespace inkling
