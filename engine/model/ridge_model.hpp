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
#include "engine/model/played_documents.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling {

/// What one event does to everything at once. With v the direction, over the relevant features,
///   theta += mean_gain v      V^-1 += square_gain v v'
/// and so for every document x, with p = x.v:  mean += mean_gain p,  width^2 += square_gain p^2.
/// A reward has v = V^-1 x; the birth of a feature has v = (-w, 1); its removal has v = V^-1 e.
/// Lifetime: `direction` lends the model's memory until its next event.
struct RankOneChange {
  std::span<const double> direction;
  double mean_gain = 0.0;
  double square_gain = 0.0;
  /// v'Vv over the features there were before, of which nothing goes below 0. Of a reward, the squared width
  /// that the played document had before it: whoever kept it too can check itself. Of a birth, w'Vw: how much
  /// of the new feature the others explain.
  double leverage = 0.0;
  /// The numbers broke down and the model was rebuilt from the played documents: apply nothing, score afresh.
  bool rebuilt = false;
};

struct Prediction {
  double mean;
  double square;  ///< the squared width, x' V^-1 x
};

/// Where V^-1 comes from: solved for when it is asked for, or kept beside the factor, which makes a reward
/// and a prediction cheaper while it pays for m^2 more memory.
enum class InverseUse { solved, kept };

struct RidgeOptions {
  double ridge = 1.0;  ///< lambda > 0
  FactorKind factor = FactorKind::cholmod;
  InverseUse inverse = InverseUse::solved;
  /// Features that the factor has room for from the start; beyond, it is rebuilt at each doubling, which
  /// takes as long as hundreds of rewards.
  std::int32_t first_capacity = 128;
};

/// The ridges a model accepts: with floats in the documents, no product of a scan overflows a double.
inline constexpr double kSmallestRidge = 1e-60;
inline constexpr double kLargestRidge = 1e60;

/// The largest |reward| a model accepts: its square still adds up over any run without overflow.
inline constexpr double kLargestReward = 1e100;

/// Throws FormatError, naming the document, unless the reward is finite and at most kLargestReward in size.
void check_reward(DocumentId document, double reward);

/// V = lambda I + sum x x' over the played documents, on the relevant features, and theta = V^-1 sum y x.
///
/// Lifetime: the pool must outlive the model. Thread safety: none.
/// After a NumericalError has left one of its members, a model is good for nothing but to be destroyed.
/// Invariants: theta and ln det are those of a fresh factorisation up to rounding; `refine` brings them back
/// to it.
class RidgeModel {
 public:
  /// Throws NumericalError unless ridge is from kSmallestRidge to kLargestRidge.
  RidgeModel(PoolView pool, RidgeOptions options);

  [[nodiscard]] const RelevantFeatures& features() const noexcept { return features_; }
  [[nodiscard]] std::span<const double> theta() const noexcept { return theta_; }
  [[nodiscard]] double ridge() const noexcept { return options_.ridge; }
  [[nodiscard]] const CholeskyFactor& factor() const noexcept { return *factor_; }
  [[nodiscard]] const PlayedDocuments& played() const noexcept { return played_; }

  /// ln det V - m ln lambda.
  [[nodiscard]] double log_det_ratio() const noexcept { return log_det_ratio_.value(); }

  /// One triangular solve.
  [[nodiscard]] Prediction predict(SparseRow row) const;

  /// V^-1, m x m, row by row: m solves.
  [[nodiscard]] std::vector<double> inverse() const;

  /// Requires: InverseUse::kept.
  [[nodiscard]] const KeptInverse& kept_inverse() const noexcept { return kept_; }

  /// Learns one reward. Throws FormatError on a document outside the pool or a reward that is not finite or
  /// beyond kLargestReward, and leaves the model as it was. Throws NumericalError where even a rebuild cannot
  /// save the gram.
  RankOneChange observe(DocumentId document, double reward);

  /// A feature is born from the played documents alone. The change is over the features with the new one
  /// last. Requires: not yet relevant. Throws FormatError on a feature outside the pool.
  RankOneChange adopt(FeatureId feature);

  /// The exact inverse of `adopt`. The change is over the features before the removal. Requires: relevant.
  RankOneChange forget(FeatureId feature);

  /// The factor, a kept V^-1 and ln det afresh from the played documents, and one step of iterative
  /// refinement of theta against them.
  void refine();

  /// How often trouble made the model rebuild itself, and what the last trouble was.
  [[nodiscard]] std::int64_t rebuilds() const noexcept { return rebuilds_; }
  [[nodiscard]] const std::string& last_trouble() const noexcept { return last_trouble_; }

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
  void rebuild_factor(std::int32_t capacity);
  RankOneChange recover(const std::string& trouble);
  void refine_theta();

  PoolView pool_;
  RidgeOptions options_;
  RelevantFeatures features_;
  PlayedDocuments played_;
  std::unique_ptr<CholeskyFactor> factor_;
  std::vector<double> theta_;
  KeptInverse kept_;
  std::int64_t rewards_since_check_ = 0;
  CompensatedSum log_det_ratio_;
  std::int64_t rebuilds_ = 0;
  std::string last_trouble_;
  std::vector<double> direction_;
  mutable RestrictedRowBuffer row_;
};

}  // namespace inkling
