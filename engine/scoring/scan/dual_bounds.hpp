// Bounds of the scores that a dual model gives: for a ranking, most documents need no more than this.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/scoring/scan/dual_scan.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// A bound of mean + radius * width, in one pass over a row. With a radius of 0 it is the mean, in single precision. With
/// another, any vector v gives by the inequality of Cauchy and Schwarz
///   width^2 = x' Gamma x - k' K^-1 k <= x' Gamma x - (v'k)^2 / (v' K v)      with k = X Gamma x,
/// and v'k is one more product with x: Gamma X' v. The v that is used is near the direction in which K is longest. Documents share
/// their common words, so most of what was learned of their widths lies in it: this one v was enough on every log that was tried.
/// With it, once enough good documents are known, only tens of a million documents are scored.
///
/// Every row is read. Adding up the postings of heavy words first, in order to leave rows unread, does not pay. A
/// document has many light words, and a bound by the length of their weights rules out hardly any document until a
/// third of all postings or more is added up (bench/EARLIER.md).
///
/// Every bound includes a margin for its own rounding and for that of `DualScan`, so a score of `DualScan`, as
/// `optimism` computes it, is never above it. Where numbers are too large or too small for single precision, the bound
/// is infinite.
///
/// Owns all it needs, 4 or 16 bytes a feature. Thread safety: const members may be called from several threads at once.
class DualBounds {
 public:
  /// Requires: radius >= 0 and finite.
  DualBounds(const DualScan& scan, double radius);

  /// bounds[i] of row rows.first + i. Requires: as many bounds as rows, `rows` within the documents, whose features are
  /// those of the scan.
  void bound_rows(CsrView documents, RowBlock rows, std::span<double> bounds) const;

 private:
  /// Numbers by feature as floats whose largest is about 1.
  struct Scaled {
    double unit = 0.0;       ///< the value of 1.0F
    bool is_precise = true;  ///< no number but 0 is so small that a float holds it with fewer bits

    explicit Scaled(std::span<const double> numbers);
    [[nodiscard]] float operator()(double number) const noexcept { return static_cast<float>(number / unit); }
  };

  void take_means(std::span<const double> theta);
  void take_scores(const DualScan& scan);
  /// Chooses the direction v and sets the numbers kept of it. Returns Gamma X' v by feature.
  [[nodiscard]] std::vector<double> take_direction(const DualScan& scan);
  [[nodiscard]] double bound_of_mean(SparseRow row) const noexcept;
  [[nodiscard]] double bound_of_score(SparseRow row) const noexcept;

  double radius_;
  double base_mean_;
  double base_square_;
  std::vector<float> table_;  // theta; with a radius theta, the root of Gamma, Gamma X' v and nothing, of each feature
  double mean_unit_ = 0.0;
  double norm_unit_ = 0.0;
  double direction_unit_ = 0.0;
  double mean_norm_ = 0.0;       // the root of the sum of theta^2 / Gamma; with a radius of 0, of theta^2
  double direction_norm_ = 0.0;  // the same for Gamma X' v
  double direction_sum_ = 0.0;   // the sum of the sizes of all terms of its sums
  double direction_base_ = 0.0;  // what the base feature adds to v'k
  double direction_base_sum_ = 0.0;
  double rounding_of_played_ = 0.0;
  bool is_precise_ = true;
};

}  // namespace inkling
