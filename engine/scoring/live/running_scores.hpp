// Every document's mean and width, kept exact through each event by one sparse product.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/rank_one_change.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/ranked.hpp"

namespace inkling {

class LinearModel;
class ModelScan;

/// An event of the model changes document x by p = x.v: mean += mean_gain p, width^2 += square_gain p^2
/// (RankOneChange). A document without relevant features has p = 0 and keeps mean 0 and width 0; with a base rate, p is
/// what that adds, and `refresh` must come before anything else.
///
/// Rounding errors add up over events; `refresh` starts again from the model.
/// Lifetime: lends the pool. Thread safety: none; the work inside may use all threads.
class RunningScores {
 public:
  /// For a model of this form.
  explicit RunningScores(PoolView pool, ModelForm form = ModelForm::primal);

  /// The model has adopted the feature before anything was learned; `refresh` must follow.
  void admit(FeatureId feature) { product_.admit(feature); }

  /// Call after the model's adopt, with its change. The scores then hold the new feature. For a dual model, this and `observe`
  /// also need the features of the change's direction: the model's coordinates.
  void adopt(FeatureId feature, const RankOneChange& birth, std::span<const FeatureId> features = {});

  /// Call after the model's observe or reweigh, with its change.
  void observe(const RankOneChange& change, std::span<const FeatureId> features = {});

  /// The document is not to be chosen any more: its mean is minus infinity from now on.
  void retire(DocumentId document);

  /// Scores every document again. Requires: the model's features are those of these scores.
  void refresh(const LinearModel& model);
  /// The same up to rounding, but by one prediction of the model for each document.
  void refresh_by_solves(const LinearModel& model);

  /// The document of highest mean + radius * width, ties to the lowest row; kNoDocument where all are
  /// retired. Requires: radius >= 0 and finite.
  [[nodiscard]] Ranked best(double radius) const;

  /// How far scores may be from those of the model, by rounding.
  struct Slack {
    double mean = 0.0;
    double square = 0.0;
  };

  /// The documents that may be the best if scores are off by this slack, ascending. If all of them have equal rows,
  /// only the best itself; if all are retired, none.
  [[nodiscard]] std::vector<DocumentId> contenders(double radius, Slack slack) const;

  /// The largest |x|^2 of all documents.
  [[nodiscard]] double largest_norm_square() const noexcept { return largest_norm_square_; }

  [[nodiscard]] std::span<const double> means() const noexcept { return mean_; }
  /// Squared widths; rounding may leave a zero a little below 0.
  [[nodiscard]] std::span<const double> squares() const noexcept { return square_; }

 private:
  void take(const ModelScan& scan);
  void set(DocumentId document, const Prediction& prediction);
  [[nodiscard]] std::vector<Ranked> best_by_block(double radius) const;
  [[nodiscard]] Ranked best_of_block(std::int32_t index, double radius) const;

  CsrView by_document_;
  std::int32_t whole_documents_;
  PoolProduct product_;
  std::vector<double> mean_;
  std::vector<double> square_;
  double largest_norm_square_ = 0.0;
};

}  // namespace inkling
