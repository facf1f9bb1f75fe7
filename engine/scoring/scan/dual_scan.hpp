// A dual model frozen for scoring: any documents from nothing, through those that were played.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/model/kernel_factor.hpp"
#include "engine/model/rank_one_change.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/row_blocks.hpp"
#include "engine/sparse/whole_row.hpp"

namespace inkling {

class DualRidgeModel;

/// What one thread needs for scoring; kept by its user, so that in the long run nothing is allocated.
struct DualScanBuffer {
  std::vector<double> kernels;  ///< X Gamma x of several documents, side by side
  WholeRow row = {};
};

/// All that a dual scan is made of, for code that stores it: the same parts give the same bits.
struct DualScanParts {
  std::int32_t features_in_use = 0;
  std::vector<double> theta;     ///< by feature
  std::vector<double> variance;  ///< likewise
  CsrMatrix played{0};           ///< X, as many columns as features
  KernelFactor factor;           ///< of K, which has a row for each row of X
  double base_mean = 0.0;
  double base_square = 0.0;
  std::vector<double> base_kernel;       ///< by row of X; empty without a base rate
  std::vector<double> document_weights;  ///< likewise
};

/// Gamma X' alpha by feature. If alpha are the document weights of a model that was just refined, and X and Gamma its
/// rows and variances, this is its theta to the last bit. Requires: parts that fit one another.
[[nodiscard]] std::vector<double> weights_of_rows(std::span<const double> alpha, CsrView rows, std::span<const double> variance);

/// With X the played documents, Gamma the variances and k = X Gamma x (engine/model/dual_ridge_model.hpp),
///   mean = x.theta      width^2 = x' Gamma x - k' K^-1 k
/// with a base feature, if the model has one, as one more feature of every document. So a document costs the played entries of its
/// features, and the square of the number of played documents. Several documents are solved for together; a document's bits do
/// not depend on which others those are.
///
/// Owns all it needs, 24 bytes a feature, 8 a non-zero of the played documents and 4 a pair of these: the
/// model and its pool may change or go. Thread safety: const members may be called from several threads at
/// once.
class DualScan {
 public:
  /// Rows that a thread scores at a time.
  static constexpr std::int32_t kRowsPerBlock = 64;

  explicit DualScan(const DualRidgeModel& model);  // in model_scan.cpp, as that of BatchScan

  /// Requires: parts that fit one another.
  explicit DualScan(DualScanParts parts);

  [[nodiscard]] std::int32_t features_in_use() const noexcept { return features_in_use_; }
  [[nodiscard]] std::size_t played() const noexcept { return factor_.size(); }
  [[nodiscard]] std::span<const double> theta() const noexcept { return theta_; }
  [[nodiscard]] double base_mean() const noexcept { return base_mean_; }

  /// Whether the model learned from vectors such as these documents have.
  [[nodiscard]] bool takes_vectors_of(const CsrView& documents) const noexcept {
    return theta_.size() > static_cast<std::size_t>(documents.columns()) && !documents.vectors().empty();
  }

  /// The parts besides `theta` and `base_mean`.
  [[nodiscard]] std::span<const double> variance() const noexcept { return variance_; }
  /// Alpha of the model (`weights_of_rows`); its theta may have moved on since.
  [[nodiscard]] std::span<const double> document_weights() const noexcept { return document_weights_; }
  [[nodiscard]] CsrMatrix played_rows() const { return transposed(columns_.view()); }
  [[nodiscard]] const KernelFactor& factor() const noexcept { return factor_; }
  [[nodiscard]] double base_square() const noexcept { return base_square_; }
  [[nodiscard]] std::span<const double> base_kernel() const noexcept { return base_kernel_; }

  /// predictions[i] of row rows.first + i. Requires: as many predictions as rows, `rows` within the
  /// documents, whose features are those of the model's pool (here and below).
  void score_rows(CsrView documents, RowBlock rows, DualScanBuffer& buffer, std::span<Prediction> predictions) const;

  /// The same for any rows: predictions[i] is for row chosen[i].
  void score_rows(CsrView documents, std::span<const DocumentId> chosen, DualScanBuffer& buffer,
                  std::span<Prediction> predictions) const;

  /// visit(i, prediction) once for every row, from any thread. Requires: the calls are independent of their
  /// order.
  template <typename Visit>
  void for_each(CsrView documents, const Visit& visit) const {
    for_each_block_predicted(documents, [&](RowBlock rows, std::span<const Prediction> predictions) {
      for (std::size_t i = 0; i < rows.size(); ++i) visit(rows.first + static_cast<DocumentId>(i), predictions[i]);
    });
  }

  /// The parts of one document's score, for the features in use that it holds, ascending. Together with `base_mean` they add up
  /// to its mean.
  [[nodiscard]] std::vector<ScorePart> parts_of(SparseRow row) const;

  /// Bytes of a buffer.
  [[nodiscard]] std::size_t buffer_bytes() const noexcept { return played() * KernelFactor::kSidesTogether * sizeof(double); }

 private:
  static constexpr std::size_t kTogether = KernelFactor::kSidesTogether;

  /// visit(rows, their predictions) for every block of rows, from any thread.
  void for_each_block_predicted(CsrView documents, const std::function<void(RowBlock, std::span<const Prediction>)>& visit) const;

  /// With its vector if the model learned from vectors.
  [[nodiscard]] SparseRow whole_row(const CsrView& documents, DocumentId document, DualScanBuffer& buffer) const;
  /// predictions[i] of row_of(i).
  template <typename RowOf>
  void score_each(const RowOf& row_of, DualScanBuffer& buffer, std::span<Prediction> predictions) const;
  /// kernel[i * stride] += (X Gamma x)_i, and mean and x' Gamma x as a prediction.
  Prediction spread(SparseRow row, double* kernel, std::size_t stride) const noexcept;
  /// (V^-1)_jj, with a buffer of played() numbers.
  [[nodiscard]] double variance_of(FeatureId feature, std::span<double> buffer) const noexcept;

  std::int32_t features_in_use_;
  std::vector<double> theta_;     // by feature
  std::vector<double> variance_;  // Gamma, by feature
  CsrMatrix columns_;             // X by feature, with a place among the played documents for each
  KernelFactor factor_;
  double base_mean_;
  double base_square_;  // of a document that holds only the base feature, before anything is learned
  std::vector<double> document_weights_;
  std::vector<double> base_kernel_;  // what the base feature adds to X Gamma x; empty without one
};

}  // namespace inkling
