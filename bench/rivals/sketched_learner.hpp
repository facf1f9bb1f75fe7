// Sketched OFUL: optimism with a frequent-directions sketch in place of the gram.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bench/rivals/all_features_learner.hpp"
#include "bench/rivals/frequent_directions.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/model/confidence_radius.hpp"
#include "engine/model/kernel_factor.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling::bench {

struct SketchOptions {
  std::int32_t directions = 50;  ///< rows of the sketch
};

/// What a sketch knows of the ellipsoid it stands for.
struct SketchedEllipsoid {
  double log_det_ratio;  ///< ln det(lambda I + S'S) - d ln lambda
  double lost;           ///< X'X - S'S <= lost I
  std::int64_t rank;     ///< of X, at most
};

/// With eps = lost / lambda, the radius of Theorem 2 of Kuzborskij, Cella and Cesa-Bianchi (2019):
///   R sqrt(1 + eps) sqrt(ln det V~ - d ln lambda + rank ln(1 + eps) + 2 ln(1/delta)) + sqrt(lambda) S (1 +
///   eps)
/// where V~ = lambda I + S'S. The theorem bounds by what is known before the first round what is known here:
/// ln det V~ by m ln(1 + t L^2 / (m lambda)), eps by the spectral tail, and by d the rank of X, beyond which
/// no eigenvalue of V differs from lambda. So this radius is not larger; where nothing is lost, it is the radius of
/// OFUL.
[[nodiscard]] double sketched_radius(const SketchedEllipsoid& ellipsoid, double ridge,
                                     const ConfidenceOptions& options) noexcept;

/// V~^-1 a = (a - S' K^-1 S a) / lambda with K = lambda I + S S', and theta = V~^-1 sum y x. No matrix has a
/// row for every feature but S. Each document keeps its product with S, 2m numbers, and its mean and width
/// through each reward by V~^-1 x of the document played; all afresh whenever the sketch is shrunk.
class SketchedLearner final : public AllFeaturesLearner {
 public:
  /// Throws FormatError on a number of directions that no sketch has, NumericalError on a ridge that no model
  /// accepts.
  SketchedLearner(PoolView pool, const PolicyOptions& options, const SketchOptions& sketch = {});

  [[nodiscard]] double weight(FeatureId feature) const noexcept override;
  void observe(DocumentId document, double reward) override;
  void retire(DocumentId document) override { retired_[static_cast<std::size_t>(document)] = 1; }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;
  [[nodiscard]] std::optional<double> radius() const override;

  [[nodiscard]] const FrequentDirections& sketch() const noexcept { return sketch_; }
  [[nodiscard]] std::span<const double> means() const noexcept { return mean_; }
  /// Squared widths; rounding may leave a zero a little below 0.
  [[nodiscard]] std::span<const double> squares() const noexcept { return square_; }

 private:
  /// No block has more documents.
  static constexpr std::int32_t kBlock = 512;
  [[nodiscard]] RowBlocks blocks() const noexcept { return {pool_.documents(), kBlock}; }

  [[nodiscard]] double ridge() const noexcept { return options_.ridge; }
  [[nodiscard]] std::span<double> product_of(DocumentId document) noexcept;
  void remember(SparseRow row, double reward);
  [[nodiscard]] bool extend_kernel(double square);
  void solve_reward_sums();
  void follow(SparseRow row, double error, double growth);
  void compress();
  void score_afresh(RowBlock block);
  [[nodiscard]] Ranked best_of_block(RowBlock block, double radius) const;

  PoolView pool_;
  PolicyOptions options_;
  FrequentDirections sketch_;
  KernelFactor kernel_;              // of K
  std::vector<double> reward_sums_;  // sum y x, by feature
  std::vector<double> reward_rows_;  // S times it
  std::vector<double> shares_;       // K^-1 S sum y x
  std::vector<double> played_;       // S x of the document played, then L^-1 of it
  std::vector<double> gains_;        // K^-1 S x
  CompensatedSum log_det_ratio_;
  std::int64_t plays_ = 0;
  std::vector<double> products_;  // S x_i, 2m for each document
  std::vector<double> mean_;      // by document
  std::vector<double> square_;    // by document
  std::vector<std::uint8_t> retired_;
};

}  // namespace inkling::bench
