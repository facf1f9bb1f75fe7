// Ridge regression through the played documents: all features of a large pool in use, and no matrix of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/model/kernel_factor.hpp"
#include "engine/model/linear_model.hpp"

namespace inkling {

/// Let X have one row for each played document, D its number of plays on the diagonal, and Gamma = Lambda^-1. Then
///   K = D^-1 + X Gamma X'   V^-1 a = Gamma a - Gamma X' K^-1 X Gamma a   det V / det Lambda = det D det K.
/// So K has a row for each document and not for each feature, and every event of the model changes K. A document that
/// is played for the first time adds a row; one that is played again lowers its entry of D^-1. A feature whose variance
/// goes from g to g' adds (g' - g) x_j x_j', with x_j its column of X. A feature that is not in use has variance 0, so
/// its birth is such a change, too.
///
/// Coordinates are the features that were seen: those of played documents, and those that came into use or were reweighed one by
/// one. All other features share one variance and have the weight 0, so memory grows with the played documents and not with the
/// pool. A squared width is a difference of the prior one and what was learned, so its rounding error is relative to |x|^2 /
/// lambda and not to the width itself.
///
/// What is believed of a feature (`believe`) is its variance and the mean of its weight before anything was learned, so it adds no
/// row to K.
///
/// A base rate is a feature of variance 1 / ridge that every played document holds: it adds b_i b_j / ridge to K. Inside,
/// it is the coordinate 0, before those of the features.
class DualRidgeModel final : public LinearModel {
 public:
  DualRidgeModel(std::int32_t columns, const RidgeOptions& options);
  explicit DualRidgeModel(std::int32_t columns, double ridge) : DualRidgeModel(columns, RidgeOptions{.ridge = ridge}) {}

  [[nodiscard]] std::int32_t features_in_use() const noexcept override { return in_use_; }
  [[nodiscard]] std::span<const FeatureId> coordinates() const noexcept override { return std::span(seen_).subspan(leading_); }
  [[nodiscard]] bool uses(FeatureId feature) const noexcept override { return variance(feature) > 0.0; }
  [[nodiscard]] double weight(FeatureId feature) const noexcept override {
    const std::int32_t a = coordinate_.find(feature);
    return a == kUnseen ? 0.0 : theta_[at(a)];
  }
  [[nodiscard]] double precision(FeatureId feature) const noexcept override {
    return uses(feature) ? 1.0 / variance(feature) : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double least_precision() const noexcept override { return 1.0 / largest_variance_; }
  using LinearModel::predict;
  [[nodiscard]] Prediction predict(SparseRow row, double base) const override;
  /// The mean of a document of the pool alone, with the bits of `DualScan`.
  [[nodiscard]] double mean(SparseRow row) const { return mean_of(located(row, base_)); }
  /// With the bits of `DualScan`.
  void predict_all(std::span<const SparseRow> rows, std::span<Prediction> predictions) const override;

  RankOneChange adopt(FeatureId feature) override;
  /// If these are all features of the pool, none of them becomes a coordinate.
  void start_with(std::span<const FeatureId> features) override;
  RankOneChange reweigh(FeatureId feature, double precision) override;
  /// If there are more features than rows of K, K is factored again once, instead of a change for each feature.
  void reweigh_all(std::span<const Reweighed> features) override;
  /// The same up to rounding as to `observe` a row of each of these features alone. K keeps its size, and where they are many it is
  /// factored once. Requires: in use; a feature has one belief. Throws as `observe` does, before anything has changed.
  void believe(std::span<const Belief> beliefs);
  /// Requires: `believe` was called for this feature. The same as if it had not been.
  void forget_belief(FeatureId feature);
  void refine() override;
  void put_off(std::function<void()> between) override { put_off_ = std::move(between); }
  [[nodiscard]] bool puts_off() const noexcept override { return put_off_.has_value(); }
  [[nodiscard]] std::vector<double> draw_deviation(RandomStream& random) const override;
  [[nodiscard]] const DualRidgeModel* dual() const noexcept override { return this; }

  /// The feature's entry of Gamma; 0 if it is not in use.
  [[nodiscard]] double variance(FeatureId feature) const noexcept {
    const std::int32_t a = coordinate_.find(feature);
    return a == kUnseen ? unseen_variance_ : variance_[at(a)];
  }
  /// Gamma of every feature. The cost grows with the number of features of the pool.
  [[nodiscard]] std::vector<double> variances() const { return by_feature(variance_, unseen_variance_); }
  /// Theta of every feature. The cost grows with the number of features of the pool.
  [[nodiscard]] std::vector<double> weights() const { return by_feature(theta_, 0.0); }
  /// Alpha: theta was Gamma X' alpha, beyond what is believed, when it was last computed from nothing, for example by `refine`. It has an entry for
  /// each document played by then, and ignores what was learned since.
  [[nodiscard]] std::span<const double> document_weights() const noexcept { return document_weights_; }
  /// The factor of K, whose rows are in the order of `played`.
  [[nodiscard]] const KernelFactor& factor() const noexcept { return factor_; }

  /// Gamma of the base feature; 0 without a base rate.
  [[nodiscard]] double base_variance() const noexcept { return leading_ == 0 ? 0.0 : variance_.front(); }

 protected:
  /// Throws FormatError on the document that would make K larger than kLargestGram.
  RankOneChange learn_row(const Observation& observation) override;
  /// Only the diagonal of K changes, and only in rows whose weight changed. If these are few, the factor takes rank-one changes;
  /// else K is factored again.
  void follow_recount(std::span<const std::size_t> places, std::span<const double> before) override;
  /// K loses a row, which is a rank-one change of the rows after it.
  void drop_played(std::size_t place) override;

 private:
  static constexpr std::int32_t kUnseen = IdMap<FeatureId>::kNone;

  /// A row with coordinates in place of features; kUnseen where a feature has none.
  struct Located {
    std::span<const std::int32_t> coordinates;
    std::span<const float> values;
    double base = 0.0;

    [[nodiscard]] std::size_t size() const noexcept { return values.size(); }
  };

  /// A played row that holds a coordinate, and its value there.
  struct Holder {
    std::int32_t place;
    float value;
  };

  [[nodiscard]] static std::size_t at(std::int32_t coordinate) noexcept { return static_cast<std::size_t>(coordinate); }
  /// Sum of x_a dense_a, the base feature first, then in order of the row. Requires: every feature was seen.
  [[nodiscard]] static double dot(Located row, std::span<const double> dense) noexcept;
  [[nodiscard]] Located located(SparseRow row, double base) const;
  [[nodiscard]] Located played_row(std::size_t place) const noexcept;
  std::int32_t see(FeatureId feature);
  void see_row(SparseRow row);
  [[nodiscard]] std::vector<double> by_feature(std::span<const double> by_coordinate, double otherwise) const;

  /// What the played documents say of a feature.
  struct PlayedColumn {
    std::size_t first;  ///< index of the first one that holds it; the number of played documents if none does
    double square;      ///< sum x_j^2
    double residual;    ///< sum x_j (y - x.theta)
  };

  [[nodiscard]] double mean_of(Located row) const noexcept;
  double fill_kernel(Located row) const { return fill_kernel(row, factor_.size()); }
  double fill_kernel(Located row, std::size_t documents) const;
  void hold_row(std::size_t place);
  double finish_solving() const;
  void to_coordinates(double by, std::span<double> direction) const;
  void solve_played(std::size_t place, double weight);
  void solve_and_append(Located row, double weight);
  void raise_weight(std::size_t place, double weight, double more);
  void check_room(std::int64_t document) const;
  PlayedColumn fill_column(FeatureId feature) const;
  RankOneChange change_variance(FeatureId feature, double variance);
  RankOneChange change_unplayed(std::size_t coordinate, double change);
  void set_variance(std::size_t coordinate, double variance);
  [[nodiscard]] double greatest_variance() const noexcept;
  /// What a belief made of a feature: the mean of its weight before anything was learned, and what its variance was without it.
  struct Believed {
    double mean = 0.0;
    double variance_before = 0.0;  ///< 0: no belief
  };
  /// A feature of a played row, whose variance changed by so much.
  struct VarianceChange {
    FeatureId feature;
    double change;
  };
  void follow_variances(std::span<const VarianceChange> changes);
  void add_prior_means() noexcept;
  void rebuild_factor();
  void sum_log_det();
  void solve_theta();

  std::optional<std::function<void()>> put_off_;  // if set, events are only recorded until `refine`, which calls this
  std::int32_t in_use_ = 0;
  double unseen_variance_ = 0.0;
  double largest_variance_;
  IdMap<FeatureId> coordinate_;
  std::vector<FeatureId> seen_;                // by coordinate; -1 is the base feature
  std::vector<double> variance_;               // Gamma, by coordinate; 0 where not in use
  std::vector<Believed> believed_;             // by coordinate, up to the last one with a belief
  std::vector<std::int32_t> coordinates_;      // of the entries of all played rows, one after the other
  std::vector<std::size_t> first_coordinate_;  // of each row, among these
  std::vector<std::vector<Holder>> holders_;   // by coordinate: the played rows that hold it, in order
  KernelFactor factor_;                        // of K
  std::vector<double> document_weights_;       // alpha
  std::vector<double> column_;                 // by document in the factor
  mutable std::vector<double> kernel_;         // by document in the factor
  mutable std::vector<double> sides_;          // several kernels, side by side
  mutable std::vector<std::int32_t> located_;
};

}  // namespace inkling
