// The thresholded Lasso bandit: the best document by the few features that matter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/rivals/lasso.hpp"
#include "bench/rivals/unmarked_learner.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/remaining_documents.hpp"
#include "engine/scoring/live/pool_product.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling::bench {

struct LassoOptions {
  double scale = 0.01;  ///< lambda_0: the penalty in round t is scale * sqrt(2 ln t ln d / t)
};

/// Algorithm 1 of Ariu, Abe and Proutiere (2022). After round t: the Lasso with
/// lambda_t = lambda_0 sqrt(2 ln t ln d / t), the features that its two thresholds leave, and least squares
/// on them; the next document is the one of highest x.theta, ties to the lowest row. While no feature is left
/// every document is as good, and one is drawn, as the authors' program does. (In a pool that never changes,
/// the lowest row for ever would teach nothing.)
///
/// Two departures: ln 1 = 0 would make the first round's penalty 0, so it takes ln 2; and least squares has a
/// ridge of 1e-8 of the largest squared length of a document, so that features which nothing tells apart
/// share their weight.
class LassoLearner final : public UnmarkedLearner {
 public:
  explicit LassoLearner(PoolView pool, const LassoOptions& options = {});

  /// Of the least squares.
  [[nodiscard]] double weight(FeatureId feature) const noexcept override { return model_.weight(feature); }
  [[nodiscard]] const LinearModel* model() const noexcept override { return &model_; }
  void observe(DocumentId document, double reward) override;
  void retire(DocumentId document) override { remaining_.remove(document); }
  [[nodiscard]] DocumentId choose(RandomStream& sampling) override;

  /// What the thresholds left, in order of discovery.
  [[nodiscard]] std::span<const FeatureId> support() const noexcept { return model_.features().in_order(); }

 private:
  [[nodiscard]] double penalty() const noexcept;
  void change_support(std::span<const FeatureId> wanted);
  [[nodiscard]] Ranked best_of_block(std::int32_t index) const;

  double scale_;
  Lasso lasso_;
  RidgeModel model_;  // of the support
  PoolProduct product_;
  RemainingDocuments remaining_;
};

}  // namespace inkling::bench
