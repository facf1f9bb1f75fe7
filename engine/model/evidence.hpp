// How likely rewards are under prior precisions, with theta and the noise integrated out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/played_documents.hpp"

namespace inkling {

/// How likely the rewards are under one set of prior precisions, which are relative to the noise.
struct Evidence {
  double log_likelihood = 0.0;  ///< up to terms that do not depend on the precisions
  double noise_square = 0.0;    ///< the variance of the noise under these precisions
};

/// Let n rewards y belong to rows X, and let A = X'X + diag(precisions) and r = X'y. The prior of the noise counts as
/// one more reward, whose square is `kPriorSquare`. Then the logarithm is
///   -(n + 1) / 2 ln(y'y - r'A^-1 r + kPriorSquare) - 1/2 (ln det A - sum ln precision).
/// It is computed by features if there are at most `kMostFeatures`, else by played documents. It ignores a base rate.
class EvidenceOfRewards {
 public:
  static constexpr double kPriorSquare = 0.01;
  static constexpr std::int32_t kMostFeatures = 256;

  /// Lifetime: lends the documents, which may not change as long as this lives.
  explicit EvidenceOfRewards(const PlayedDocuments& played);

  /// For each scale, the evidence if each feature j has the precision `scale * pattern[j]`. Requires: all above 0, a pattern for
  /// each feature.
  [[nodiscard]] std::vector<Evidence> of(std::span<const double> pattern, std::span<const double> scales) const;

 private:
  [[nodiscard]] bool by_features() const noexcept { return played_->columns() <= kMostFeatures; }
  [[nodiscard]] Evidence by_features(std::span<const double> pattern, double scale) const;
  [[nodiscard]] std::vector<double> kernel(std::span<const double> pattern) const;
  [[nodiscard]] Evidence by_documents(std::span<const double> kernel, double scale) const;
  [[nodiscard]] Evidence evidence(double explained_by_none, double explained, double log_det) const noexcept;

  const PlayedDocuments* played_;
  double squares_ = 0.0;       // y'y
  std::vector<double> gram_;   // X'X, if computed by features
  std::vector<double> right_;  // X'y, if computed by features
};

}  // namespace inkling
