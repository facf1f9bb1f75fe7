// Several frozen models scored in one pass: a row is read and filtered once, then each model takes its part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "engine/scoring/scan/batch_scan.hpp"
#include "engine/scoring/scan/dual_bounds.hpp"
#include "engine/scoring/scan/dual_scan.hpp"
#include "engine/scoring/scan/feature_filter.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// What one thread needs for scoring; kept from block to block, so that in the long run nothing is allocated.
struct ScanWorkspace {
  RestrictedRows rows;                ///< restricted to the features of all models, or of one
  std::vector<RestrictedRows> parts;  ///< by model, the dual ones not counted
  std::vector<std::uint32_t> next;    ///< by row: where its next entry goes
  std::vector<SparseRow> lists;       ///< the postings of one model
  DualScanBuffer dual;
  std::vector<double> bounds;          ///< by row, of one dual model
  std::vector<DocumentId> candidates;  ///< rows that may be among the best
  std::vector<Prediction> scored;      ///< of these
};

/// A model of either form, ready to score with.
using FrozenModel = std::variant<BatchScan, DualScan>;

class JointScan;

/// The scores that a ranking needs. A document at or below a model's floor is of no use to it. If bounds show that a document is,
/// a dual model gives `below_floor` in place of a prediction.
class RankedScores {
 public:
  using Floor = std::function<double(std::size_t model)>;

  /// The score is mean + radius * width, with a radius for each model. The floor may rise at any time, and any thread may call
  /// it. Requires: radii >= 0 and finite.
  RankedScores(const JointScan& models, std::span<const double> radii, Floor floor);

  /// nullptr where bounds would be as much work as scores, and for a model that is not dual.
  [[nodiscard]] const DualBounds* bounds(std::size_t model) const { return bounds_[model] ? &*bounds_[model] : nullptr; }
  [[nodiscard]] double floor(std::size_t model) const { return floor_(model); }

  static constexpr Prediction below_floor = {-std::numeric_limits<double>::infinity(), 0.0};

 private:
  std::vector<std::optional<DualBounds>> bounds_;  // by model
  Floor floor_;
};

/// Scores blocks of rows, by the rows or by the postings of the relevant features. Both give the same bits, and those
/// of each model alone. Dual models look at rows as they are. Thread safety: const members may be called from several
/// threads at once.
class JointScan {
 public:
  /// Requires: at least one model, all of the same numbering of features.
  explicit JointScan(std::vector<FrozenModel> models);

  [[nodiscard]] std::size_t models() const noexcept { return models_.size(); }
  [[nodiscard]] std::span<const FrozenModel> frozen() const noexcept { return models_; }
  [[nodiscard]] bool has_dual() const noexcept { return !duals_.empty(); }

  /// The features of all models that are not dual, ascending.
  [[nodiscard]] std::span<const FeatureId> features() const noexcept { return filter_.features(); }

  /// predictions[m * rows.size() + i] is what model m says of row rows.first + i. Requires: predictions of
  /// models() * rows.size(), `rows` within the documents.
  void score_rows(CsrView documents, RowBlock rows, ScanWorkspace& workspace, std::span<Prediction> predictions) const {
    score_rows(documents, rows, workspace, predictions, nullptr);
  }

  /// The same for a ranking; with nullptr, the same as above.
  void score_rows(CsrView documents, RowBlock rows, ScanWorkspace& workspace, std::span<Prediction> predictions,
                  const RankedScores* ranked) const;

  /// The same for the documents [rows.first, rows.end), from one list of postings for each of `features()`; each list ascends and
  /// holds no other documents. Requires: no model is dual.
  void score_postings(std::span<const SparseRow> postings, RowBlock rows, ScanWorkspace& workspace,
                      std::span<Prediction> predictions) const;

  /// The parts of one document's score by a model, for the features in use that it holds, ascending.
  [[nodiscard]] std::vector<ScorePart> parts_of(std::size_t model, SparseRow row) const;

  /// Bytes that a workspace takes for dual models, whatever the size of a block.
  [[nodiscard]] std::size_t dual_bytes() const;

  /// The largest number of played documents of a dual model.
  [[nodiscard]] std::size_t most_played() const;

 private:
  /// The position of a feature of the union in one of the models.
  struct Owner {
    std::uint32_t scan;  ///< the model as scans_ counts it
    std::int32_t position;
  };

  /// Predicts workspace.rows, which are the rows from `first` on of a block of `block_rows`.
  void predict(ScanWorkspace& workspace, std::size_t first, std::size_t block_rows, std::span<Prediction> predictions) const;
  [[nodiscard]] const BatchScan& scan(std::size_t index) const { return std::get<BatchScan>(models_[scans_[index]]); }
  [[nodiscard]] std::vector<FeatureId> union_of_features() const;
  void score_restricted(CsrView documents, RowBlock rows, ScanWorkspace& workspace, std::span<Prediction> predictions) const;
  /// Scores the rows whose bound is above the floor.
  static void score_candidates(const DualScan& dual, const DualBounds& bounds, double floor, CsrView documents, RowBlock rows,
                               ScanWorkspace& workspace, std::span<Prediction> predictions);
  void share_out(ScanWorkspace& workspace) const;
  static void gather(std::span<const SparseRow> lists, RowBlock rows, ScanWorkspace& workspace);

  std::vector<FrozenModel> models_;
  std::vector<std::size_t> scans_;  // numbers of the models that are not dual
  std::vector<std::size_t> duals_;  // of those that are
  FeatureFilter filter_;
  std::vector<std::uint32_t> owners_begin_;  // by position in features(), one more than there are
  std::vector<Owner> owners_;
  std::vector<std::vector<std::uint32_t>> places_;  // by scans_: of its features in features(), ascending
};

/// The part of a posting list that lies in a block of documents. Requires: the list ascends.
[[nodiscard]] SparseRow postings_within(SparseRow postings, RowBlock rows);

}  // namespace inkling
