// Ridge regression in extended precision, factorised afresh: what a running model is compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"

namespace inkling::bench {

/// The widest floating point that the processor has: 64 bits of mantissa on x86, where double has 53.
using Extended = long double;

/// Counts plays and adds up rewards, with the bits that addition drops kept beside the sum.
class PlayLog {
 public:
  explicit PlayLog(std::int32_t documents)
      : plays_(static_cast<std::size_t>(documents)), rewards_(plays_.size()) {}

  /// Requires: 0 <= document < documents.
  void record(DocumentId document, double reward);

  [[nodiscard]] std::int64_t plays(DocumentId document) const noexcept;
  [[nodiscard]] Extended reward_sum(DocumentId document) const noexcept;

 private:
  struct Sum {
    Extended value = 0.0L;
    Extended lost = 0.0L;
  };
  std::vector<std::int64_t> plays_;
  std::vector<Sum> rewards_;
};

/// V = ridge I + sum x x' over the plays with every column of the documents relevant, as V = L L'; theta and
/// ln det.
class ExtendedRidge {
 public:
  struct Prediction {
    Extended mean;
    Extended square;  ///< the squared width, x' V^-1 x
  };

  /// Requires: ridge > 0, one entry of the log a document. Throws NumericalError where `Extended` is no wider
  /// than double, and where V is not positive definite.
  ExtendedRidge(CsrView documents, const PlayLog& log, double ridge);

  [[nodiscard]] std::span<const Extended> theta() const noexcept { return theta_; }
  /// ln det V - m ln ridge.
  [[nodiscard]] Extended log_det_ratio() const noexcept { return log_det_ratio_; }
  [[nodiscard]] Prediction predict(SparseRow document) const;

  /// The ratio of the largest to the smallest eigenvalue of V, by power iteration: within a few percent, from
  /// below.
  [[nodiscard]] double condition() const;

 private:
  using Vector = std::vector<Extended>;

  [[nodiscard]] Extended* row(std::size_t i) noexcept { return lower_.data() + i * size_; }
  [[nodiscard]] const Extended* row(std::size_t i) const noexcept { return lower_.data() + i * size_; }

  [[nodiscard]] Vector accumulate(CsrView documents, const PlayLog& log, double ridge);
  void factorise();
  void solve_lower(Vector& x) const;
  void solve_upper(Vector& x) const;
  [[nodiscard]] Vector times_gram(const Vector& x) const;

  std::size_t size_;
  Vector lower_;  // row by row
  Vector theta_;
  Extended log_det_ratio_ = 0.0L;
};

}  // namespace inkling::bench
