// Ridge regression over the relevant features, kept exact through rewards, births and removals of features.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/ids.hpp"
#include "engine/model/cholesky_factor.hpp"
#include "engine/model/kept_inverse.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/model/played_documents.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// The model that keeps a factor of V, with a row for each relevant feature; they are what it has in use.
///
/// Invariants: theta and ln det are those of a fresh factorisation up to rounding; `refine` brings them back
/// to it.
class RidgeModel final : public LinearModel {
 public:
  /// Throws NumericalError unless ridge is from kSmallestRidge to kLargestRidge.
  RidgeModel(PoolView pool, RidgeOptions options);

  [[nodiscard]] const RelevantFeatures& features() const noexcept { return features_; }
  /// Lambda, in order of discovery.
  [[nodiscard]] std::span<const double> precisions() const noexcept { return precisions_; }
  [[nodiscard]] const CholeskyFactor& factor() const noexcept { return *factor_; }

  [[nodiscard]] Coordinates coordinates() const noexcept override { return Coordinates::features_in_use; }
  [[nodiscard]] std::int32_t features_in_use() const noexcept override { return features_.size(); }
  [[nodiscard]] std::span<const double> theta() const noexcept override { return theta_; }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override { return features_.contains(feature); }
  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  [[nodiscard]] double precision(FeatureId feature) const noexcept override;
  [[nodiscard]] double ridge() const noexcept override { return options_.ridge; }
  [[nodiscard]] double least_precision() const noexcept override { return least_precision_; }
  [[nodiscard]] const PlayedDocuments& played() const noexcept override { return played_; }
  [[nodiscard]] double log_det_ratio() const noexcept override { return log_det_ratio_.value(); }

  /// One triangular solve.
  [[nodiscard]] Prediction predict(SparseRow row) const override;

  /// V^-1, m x m, row by row: m solves.
  [[nodiscard]] std::vector<double> inverse() const;

  /// Requires: InverseUse::kept.
  [[nodiscard]] const KeptInverse& kept_inverse() const noexcept { return kept_; }

  RankOneChange observe(DocumentId document, double reward) override;
  RankOneChange adopt(FeatureId feature) override;
  RankOneChange reweigh(FeatureId feature, double precision) override;
  RankOneChange forget(FeatureId feature) override;

  /// The factor, a kept V^-1 and ln det again from the played documents, and one step of iterative
  /// refinement of theta against them.
  void refine() override;

  void draw_deviation(RandomStream& random, std::span<double> deviation) const override;
  [[nodiscard]] std::int64_t rebuilds() const noexcept override { return rebuilds_; }
  [[nodiscard]] const std::string& last_trouble() const noexcept override { return last_trouble_; }
  [[nodiscard]] const RidgeModel* primal() const noexcept override { return this; }

 private:
  /// What the played documents say of a feature that they hold.
  struct Birth {
    std::vector<double> b;  ///< its column of the gram: sum x_j x_R
    double c;               ///< its diagonal: lambda + sum x_j^2
    double residual;        ///< sum x_j (y - x.theta)
  };

  [[nodiscard]] bool keeps_inverse() const noexcept { return options_.inverse == InverseUse::kept; }
  void solve(RestrictedRow x, std::span<double> solution);
  [[nodiscard]] Birth gather_birth(FeatureId feature);
  void append_feature(FeatureId feature);
  void erase_precision(std::int32_t position);
  void rebuild_factor(std::int32_t capacity);
  RankOneChange recover(const std::string& trouble);
  void refine_theta();

  PoolView pool_;
  RidgeOptions options_;
  RelevantFeatures features_;
  PlayedDocuments played_;
  std::unique_ptr<CholeskyFactor> factor_;
  std::vector<double> theta_;
  std::vector<double> precisions_;  // by position
  double least_precision_;
  KeptInverse kept_;
  std::int64_t rewards_since_check_ = 0;
  CompensatedSum log_det_ratio_;
  std::int64_t rebuilds_ = 0;
  std::string last_trouble_;
  std::vector<double> direction_;
  mutable RestrictedRows row_;
};

}  // namespace inkling
