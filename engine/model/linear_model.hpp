// Ridge regression with a prior precision for each feature: what learners and scores need of either model, the one that
// keeps V and the one that keeps K.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/model_options.hpp"
#include "engine/model/observation.hpp"
#include "engine/model/played_documents.hpp"
#include "engine/model/rank_one_change.hpp"

namespace inkling {

class RidgeModel;
class DualRidgeModel;

/// V = Lambda + sum x x' over the played documents, on the features in use, Lambda diagonal, and
/// theta = V^-1 sum y x. Every event is exact and a RankOneChange.
///
/// It copies the rows that it learns from unless they are lent (`RowKeeping`), so they may come from anywhere and go
/// away. Thread safety: none. After one of its members has thrown NumericalError, a model can only be destroyed.
class LinearModel {
 public:
  LinearModel(const LinearModel&) = delete;
  LinearModel& operator=(const LinearModel&) = delete;
  LinearModel(LinearModel&&) = default;
  LinearModel& operator=(LinearModel&&) = delete;
  virtual ~LinearModel() = default;

  [[nodiscard]] virtual std::int32_t features_in_use() const noexcept = 0;

  /// The model's coordinates: the feature that each entry of theta, and of a direction, belongs to. All others have a
  /// weight of 0. Valid until the next event.
  [[nodiscard]] virtual std::span<const FeatureId> coordinates() const noexcept = 0;

  /// In the model's coordinates. Valid until the next event.
  [[nodiscard]] std::span<const double> theta() const noexcept { return std::span(theta_).subspan(leading_); }

  /// Requires of this and the next two: a feature of the pool.
  [[nodiscard]] virtual bool uses(FeatureId feature) const noexcept = 0;
  /// Its entry of theta; 0 where not in use.
  [[nodiscard]] virtual double weight(FeatureId feature) const noexcept = 0;
  /// Its entry of Lambda; infinity where not in use.
  [[nodiscard]] virtual double precision(FeatureId feature) const noexcept = 0;

  /// b, the value of the base feature in every document of the pool; 0 without a base rate.
  [[nodiscard]] double base() const noexcept { return base_; }
  /// What the base rate adds to the mean of every document of the pool.
  [[nodiscard]] double base_mean() const noexcept { return leading_ == 0 ? 0.0 : base_ * theta_.front(); }

  /// The precision of a feature that comes into use, and the least of all that are in use.
  [[nodiscard]] double ridge() const noexcept { return ridge_; }
  [[nodiscard]] virtual double least_precision() const noexcept = 0;

  [[nodiscard]] const PlayedDocuments& played() const noexcept { return played_; }

  /// ln det V - ln det Lambda.
  [[nodiscard]] double log_det_ratio() const noexcept { return log_det_ratio_.value(); }

  /// Of a document of the pool, and of a row with another value of the base feature.
  [[nodiscard]] Prediction predict(SparseRow row) const { return predict(row, base_); }
  [[nodiscard]] virtual Prediction predict(SparseRow row, double base) const = 0;
  /// predictions[i] of rows[i], up to rounding; less work where they are several. Requires: as many predictions as rows.
  virtual void predict_all(std::span<const SparseRow> rows, std::span<Prediction> predictions) const;

  /// How many features a row may have: those of the pool.
  [[nodiscard]] std::int32_t columns() const noexcept { return played_.columns(); }

  /// Learns one reward of a document, whose number is the caller's own. Of a document with several rewards, only the
  /// row given with the first is used. Throws FormatError on a row that is not of `columns()`, or a reward that is not
  /// finite or beyond kLargestReward, and leaves the model as it was. Throws NumericalError where even a rebuild cannot
  /// save the model.
  RankOneChange observe(std::int64_t document, SparseRow row, double reward) {
    return observe({.key = document, .row = row, .reward = reward, .base = base_});
  }
  RankOneChange observe(std::int64_t document, SparseRow row, double reward, double base) {
    return observe({.key = document, .row = row, .reward = reward, .base = base});
  }
  /// The same with a weight: a reward of weight w counts as w equal ones. The row and its base value are those of the
  /// key's first reward. Throws FormatError on a weight that is not from kSmallestWeight to kLargestWeight, too.
  RankOneChange observe(const Observation& observation) {
    check_observation(observation);
    return learn_row(observation);
  }

  /// Forgets all that was observed under this key, and computes everything again from what remains. Does nothing if
  /// nothing was observed under it. Requires: the rows are copied, or still lent.
  void forget_observations(std::int64_t key);

  /// Replaces what was observed under these keys, as if it had been observed so. Where they are many, everything is
  /// computed again. Throws FormatError on a reward or a weight that no
  /// model accepts, and leaves the model as it was. Requires: each key was observed, and is named once.
  void recount(std::span<const Recount> rows);

  /// A feature comes into use, from the played documents alone, with precision ridge(). In the change of a primal model
  /// the new feature comes last. Requires: not in use. Throws FormatError on a feature outside the pool.
  virtual RankOneChange adopt(FeatureId feature) = 0;

  /// `adopt` of each of these before anything was learned, which changes no score. Requires: no feature is in use and
  /// nothing was learned; each feature once.
  virtual void start_with(std::span<const FeatureId> features) {
    for (const FeatureId feature : features) adopt(feature);
  }

  /// The feature gets another precision. Requires: in use. Throws NumericalError on a precision that no model
  /// accepts.
  virtual RankOneChange reweigh(FeatureId feature, double precision) = 0;

  /// `reweigh` of each of these, up to rounding, in less work where they are many. Throws as `reweigh` does, before
  /// anything has changed.
  virtual void reweigh_all(std::span<const Reweighed> features);

  /// Computes everything again from the played documents.
  virtual void refine() = 0;

  /// Until the next `refine`, a model may only record events, if that is less work; `refine` then gives the same bits as
  /// if each event had been learned at once. Until then, call nothing but `played`, `uses`, `precision` and `rebuilds`.
  /// `refine` calls `between` every few rows; if that throws, the model can only be destroyed.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a model that records events keeps it
  virtual void put_off(std::function<void()> /*between*/) {}
  [[nodiscard]] virtual bool puts_off() const noexcept { return false; }

  /// A draw from N(0, V^-1): by coordinate in a primal model, by feature in a dual one, where features of which nothing
  /// is known vary, too.
  [[nodiscard]] virtual std::vector<double> draw_deviation(RandomStream& random) const = 0;

  /// How often a numerical failure made the model rebuild itself, and what the last failure was.
  [[nodiscard]] std::int64_t rebuilds() const noexcept { return rebuilds_; }
  [[nodiscard]] const std::string& last_trouble() const noexcept { return last_trouble_; }

  [[nodiscard]] ModelForm form() const noexcept { return dual() == nullptr ? ModelForm::primal : ModelForm::dual; }
  /// This model if it keeps V, else nullptr. Only such a model has V^-1.
  [[nodiscard]] virtual const RidgeModel* primal() const noexcept { return nullptr; }
  /// This model if it keeps K, else nullptr.
  [[nodiscard]] virtual const DualRidgeModel* dual() const noexcept { return nullptr; }

 protected:
  /// Throws NumericalError unless ridge is from kSmallestRidge to kLargestRidge, FormatError on a base value that is not
  /// from 0 to kLargestBase.
  LinearModel(std::int32_t columns, const RidgeOptions& options);

  virtual RankOneChange learn_row(const Observation& observation) = 0;
  /// Updates everything after the weights and rewards of these played documents were replaced. `before` has their
  /// earlier weights.
  virtual void follow_recount(std::span<const std::size_t> /*places*/, std::span<const double> /*before*/) { refine(); }
  /// Updates everything after the played document at this place was erased.
  virtual void drop_played(std::size_t /*place*/) { refine(); }

  /// Updates theta and ln det for a reward, of which theta leaves this residual. Throws NumericalError unless the
  /// leverage is at least 0 and all is finite. Requires: direction_ = V^-1 x, and leverage is its product with x.
  RankOneChange follow_reward(const Observation& observation, double leverage, double residual);

  void add_to_theta(double gain, std::span<const double> direction);

  /// The change by these gains along direction_.
  [[nodiscard]] RankOneChange along_direction(double mean_gain, double square_gain, double leverage = 0.0) const noexcept;

  /// Builds everything again from the played documents. Throws NumericalError where that fails, too.
  RankOneChange recover(const std::string& trouble);

  double ridge_;
  double base_;
  PlayedDocuments played_;
  std::size_t leading_;  // 1 with a base rate, which then has the first entry of the next two; else 0
  std::vector<double> theta_;
  std::vector<double> direction_;  // of the last change
  CompensatedSum log_det_ratio_;

 private:
  std::int64_t rebuilds_ = 0;
  std::string last_trouble_;
};

/// An empty model of this form, with no feature in use.
[[nodiscard]] std::unique_ptr<LinearModel> make_linear_model(ModelForm form, std::int32_t columns, const RidgeOptions& options);

}  // namespace inkling
