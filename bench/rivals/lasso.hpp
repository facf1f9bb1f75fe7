// The Lasso of the rewards on the played documents, and the features that stand out of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/ids.hpp"
#include "engine/model/played_documents.hpp"
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

}  // namespace inkling::bench
