// The thresholded Lasso bandit: the best document by the few features that stand out of the Lasso of the rewards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/rivals/all_features_learner.hpp"
#include "engine/core/compensated_sum.hpp"
#include "engine/core/ids.hpp"
#include "engine/model/played_documents.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/policy/remaining_documents.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// theta = argmin |y - X theta|^2 / t + penalty |theta|_1 over the t plays, by coordinate descent from the
/// theta before: sweeps over the features that have a weight until they settle, then a look at all features
/// that a played document holds, for those that want one.
///
/// Lifetime: lends the documents. Thread safety: none.
class Lasso {
 public:
  explicit Lasso(CsrView documents);

  /// Learns one play; theta stays as it is until `solve`. Requires: a row of the documents, a reward that
  /// `check_reward` accepts.
  void observe(DocumentId document, double reward);

  /// Requires: penalty >= 0 and finite.
  void solve(double penalty);

  /// By feature.
  [[nodiscard]] std::span<const double> theta() const noexcept { return theta_; }
  /// Where theta is not 0, ascending. Valid until the next `solve`.
  [[nodiscard]] std::span<const FeatureId> support() const noexcept { return active_; }

 private:
  struct Entry {
    std::int32_t place;  ///< of the document among those played
    float value;
  };

  void settle(double threshold, double tolerance);
  [[nodiscard]] double step(FeatureId feature, double threshold);
  [[nodiscard]] bool admit_more(double threshold);
  [[nodiscard]] double slope(FeatureId feature) const noexcept;
  void refresh_residuals();
  void explain(std::size_t feature, double weight);
  void keep_support();

  CsrView documents_;
  PlayedDocuments played_;
  CompensatedSum reward_squares_;
  std::vector<std::vector<Entry>> columns_;  // by feature: of the played documents, in order
  std::vector<double> squares_;              // by feature: sum x_j^2 over the plays
  std::vector<FeatureId> seen_;              // features with a column
  std::vector<double> residuals_;            // by place: sum of y - x.theta over its plays
  std::vector<double> theta_;                // by feature
  std::vector<FeatureId> active_;            // those that may have a weight
  std::vector<std::uint8_t> is_active_;      // by feature
};

/// The features whose |theta_j| exceeds 4 penalty, and of these the ones where it exceeds 4 penalty times the
/// square root of their number: S_1 of Algorithm 1 of Ariu, Abe and Proutiere (2022). Requires: a support of
/// theta, ascending; the result is, too.
[[nodiscard]] std::vector<FeatureId> thresholded_support(std::span<const double> theta,
                                                         std::span<const FeatureId> support, double penalty);

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
class LassoLearner final : public AllFeaturesLearner {
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
  CsrView documents_;
  Lasso lasso_;
  RidgeModel model_;  // of the support
  PoolProduct product_;
  RemainingDocuments remaining_;
};

}  // namespace inkling::bench
