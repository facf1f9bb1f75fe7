// Ridge regression through the played documents: all features of a large pool in use, and no matrix of them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/model/kernel_factor.hpp"
#include "engine/model/linear_model.hpp"

namespace inkling {

/// With X the documents played, one row each however often it was played, D how often, and Gamma = Lambda^-1,
///   K = D^-1 + X Gamma X'      V^-1 a = Gamma a - Gamma X' K^-1 X Gamma a      det V / det Lambda = det D
///   det K.
/// So K has a row for each document and not for each feature, and what happens to a model happens to K: a
/// document played for the first time is a new row, one that is played again lowers its entry of D^-1, and a
/// feature's variance that goes from g to g' adds (g' - g) x_j x_j' with x_j its column of X. A feature that
/// is not in use has variance 0, and birth and removal are no more than such a change.
///
/// Coordinates are every feature's: a direction is as long as the pool is wide. Squared widths are
/// differences of prior ones, and so exact to rounding of |x|^2 / lambda, not of themselves.
class DualRidgeModel final : public LinearModel {
 public:
  DualRidgeModel(PoolView pool, double ridge);

  [[nodiscard]] std::int32_t features_in_use() const noexcept override { return in_use_; }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override { return variance_[at(feature)] > 0.0; }
  [[nodiscard]] double weight(FeatureId feature) const noexcept override { return theta_[at(feature)]; }
  [[nodiscard]] double precision(FeatureId feature) const noexcept override {
    return uses(feature) ? 1.0 / variance_[at(feature)] : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double least_precision() const noexcept override { return 1.0 / largest_variance_; }
  [[nodiscard]] Prediction predict(SparseRow row) const override;

  /// Throws FormatError on the document that would make K larger than kLargestGram, too.
  RankOneChange observe(DocumentId document, double reward) override;
  RankOneChange adopt(FeatureId feature) override;
  RankOneChange reweigh(FeatureId feature, double precision) override;
  RankOneChange forget(FeatureId feature) override;
  void refine() override;
  void draw_deviation(RandomStream& random, std::span<double> deviation) const override;
  [[nodiscard]] const DualRidgeModel* dual() const noexcept override { return this; }

  /// Gamma, by feature; 0 where not in use. Valid until the next event, as the factor is.
  [[nodiscard]] std::span<const double> variances() const noexcept { return variance_; }
  /// Of K, whose rows are in the order of `played`.
  [[nodiscard]] const KernelFactor& factor() const noexcept { return factor_; }
  /// The document of a row of K. Requires: a place in `played`. Lifetime: lends the pool.
  [[nodiscard]] SparseRow played_row(std::size_t place) const noexcept {
    return pool_.by_document.row(played_.in_order()[place].document);
  }

 private:
  [[nodiscard]] static std::size_t at(FeatureId feature) noexcept {
    return static_cast<std::size_t>(feature);
  }

  /// What the played documents say of a feature.
  struct PlayedColumn {
    std::size_t first;  ///< of them in order, that holds it; as many as there are where none does
    double square;      ///< sum x_j^2
    double residual;    ///< sum x_j (y - x.theta)
  };

  double fill_kernel(SparseRow row) const;
  double finish_solving() const;
  void to_features(std::span<double> direction) const;
  void solve_played(std::size_t place, double plays);
  void solve_and_append(SparseRow row);
  void raise_plays(std::size_t place, double plays);
  void check_room(DocumentId document) const;
  PlayedColumn fill_column(FeatureId feature) const;
  RankOneChange change_variance(FeatureId feature, double variance);
  RankOneChange change_unseen(FeatureId feature, double change);
  void set_variance(FeatureId feature, double variance);
  void rebuild_factor();
  void solve_theta();

  std::int32_t in_use_ = 0;
  double largest_variance_;
  std::vector<double> variance_;  // Gamma, by feature; 0 where not in use
  KernelFactor factor_;           // of K
  std::vector<double> unit_;      // by feature; 1 at unit_at_ once used, else 0
  FeatureId unit_at_ = 0;
  std::vector<double> column_;          // by document in the factor
  mutable std::vector<double> spread_;  // Gamma x as a dense vector; zero between calls
  mutable std::vector<double> kernel_;  // by document in the factor
};

}  // namespace inkling
