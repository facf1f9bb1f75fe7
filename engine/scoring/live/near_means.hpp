// The mean of every document by a model of all features, kept near while the model learns.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/model/dual_ridge_model.hpp"
#include "engine/scoring/live/row_survey.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// A mean is x.theta by the weights that were last taken in, feature by feature. When the model has learned something, its
/// weights have moved by some r since, and a mean by x.r. Where documents hold nothing below 0, what fell only lowers a
/// mean, so it rises by at most |x| |r+|, with r+ what rose. `follow` takes in a part of r: first the features whose r_j^2
/// is largest for each document that holds them, where what fell counts for little: a mean that is too high only makes its
/// document be looked at. What is left is of words that many documents hold and that weigh little. Its length times the
/// longest document's is the slack, however many events there were. How much is taken in is what costs least: the
/// postings of it, and the rows that the slack leaves to look at.
///
/// The model may have learned the pool's average document, and each event moves all its words a little, which are most
/// entries of the pool. So where a pass over the pool seems cheapest, what moved along that document is taken in first, by
/// the products that the survey has of it: then only words of played documents are left.
///
/// Requires: the same model each time.
/// Lifetime: lends the pool and the average document. Thread safety: none; the work inside may use all threads.
class NearMeans {
 public:
  NearMeans(PoolView pool, std::shared_ptr<const RowSurvey> survey);

  /// The model learned this row, which is the survey's average.
  void presume(SparseRow average) noexcept { average_ = average; }

  /// Takes in all weights, in one pass over the pool.
  void take(const DualRidgeModel& model);

  /// Takes in what is worth it, where rows that cost as much as `cost_of_rows(slack)` postings must be looked at later.
  void follow(const DualRidgeModel& model, const std::function<double(double)>& cost_of_rows);

  /// Frees what grows with the pool. No weights are taken in then, as at first.
  void release() noexcept;

  /// Theta of every feature, of this model as it is now. Valid until the next event.
  [[nodiscard]] std::span<const double> weights_of_features(const DualRidgeModel& model);

  /// Requires: some weights were taken in.
  [[nodiscard]] double operator[](DocumentId document) const noexcept {
    return products_[static_cast<std::size_t>(document)] + base_mean_;
  }
  /// So many documents after each other are a group, and no mean of it is above its highest.
  static constexpr std::int32_t kGrouped = 256;
  [[nodiscard]] double highest(std::int32_t group) const noexcept {
    return highest_[static_cast<std::size_t>(group)] + base_mean_;
  }
  /// No mean of the model as it was last told is further above the one here. Where `exact`, none is further below either.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// Whether nothing but rounding is left to take in.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  [[nodiscard]] double largest_norm_square() const noexcept { return lengths_.largest_norm_square; }
  /// |theta|^2 of the model as it was last told.
  [[nodiscard]] double theta_square() const noexcept { return theta_square_; }

 private:
  /// What the weight of one of the model's coordinates has moved by, which is not 0.
  struct Move {
    FeatureId feature;
    double by;
  };
  /// A coordinate of the model that the average document holds, and its value there.
  struct AverageAt {
    std::size_t coordinate;
    double value;
  };
  /// Of the features whose r_j^2 a document lies between two powers of two.
  struct Level {
    double postings = 0.0;
    double energy = 0.0;  ///< the sum of r_j^2
  };
  static constexpr std::size_t kLevels = 2048;  // one for each exponent of a double

  /// Coordinates that are new have a weight of 0 taken in.
  void see(std::span<const FeatureId> coordinates);
  /// From some of the coordinates, where they are many: what is taken in costs less than it is worth or more, and is right
  /// in any case.
  [[nodiscard]] std::vector<Level> estimated_levels(std::span<const double> theta) const;
  /// From which r_j^2 for each document on a feature is taken in; none where that costs more than `most`.
  [[nodiscard]] std::optional<double> cheapest(const std::vector<Level>& levels,
                                               const std::function<double(double)>& cost_of_rows,
                                               double most) const;
  void make_room();
  void find_average(std::span<const FeatureId> coordinates);
  /// In postings; infinite where the model has not learned it.
  [[nodiscard]] double cost_of_average() const noexcept;
  /// Returns whether something was.
  bool take_average(const DualRidgeModel& model);
  void add(std::span<const Move> moves, std::span<const Move> long_moves);
  void measure_groups(RowBlock block);
  void count_rounding(double moved_square, std::size_t moves);

  PoolView pool_;
  std::shared_ptr<const RowSurvey> survey_;
  RowSurvey::Lengths lengths_;
  double worth_of_fall_ = 0.0;  // of its square
  SparseRow average_;           // nothing where the model has not learned it
  std::vector<AverageAt> average_at_;
  double average_square_ = 0.0;
  // By coordinate of the model, so that what follows an event runs through memory in order.
  std::vector<double> weights_;        // taken in
  std::vector<std::int32_t> holders_;  // documents that hold the feature, or 1
  std::vector<double> products_;       // x.weights, by document
  std::vector<double> highest_;        // of the products of a group
  std::vector<double> by_feature_;     // theta; what no played document holds stays 0
  double base_mean_ = 0.0;
  double theta_square_ = 0.0;
  double rounding_ = 0.0;  // how far products_ may be from x.weights_
  double slack_ = 0.0;
  bool exact_ = false;
};

}  // namespace inkling
