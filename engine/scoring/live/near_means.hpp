// The mean of every document by a model of all features, kept close to exact while the model learns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/scoring/survey/pool_survey.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// The current weights of a model. Valid until its next event.
struct ModelWeights {
  std::span<const FeatureId> coordinates;
  std::span<const double> theta;
  double base_mean;
};

/// A mean is x.w, with w the weights that were last applied ("taken in"), feature by feature. When the model learns, its weights
/// move away from w by some r, and a mean by x.r. If no document has a negative value, weights that fell only lower a mean, so it
/// rises by at most |x| |r+|, with r+ the weights that rose. `follow` takes in a part of r: first the features of largest r_j^2
/// for each document that holds them. Weights that fell count for little in this, because a mean that is too high only costs a
/// check of its document. What is left out belongs to words that many documents hold and that weigh little. Its length times that
/// of the longest document is the slack, however many events there were. `follow` takes in as much as minimises the cost of the
/// postings now plus the rows to check later because of the slack.
///
/// As long as no weight is positive, because nothing good was found, each bad grade lowers the size of all weights by
/// about one factor. Then the weights that were taken in are multiplied by it first. The factor is kept apart from the
/// products, so none of them is written.
///
/// Products are floats, because they are most of the memory of a search. The slack bounds their rounding, too. Once the rows that
/// were checked only because of rounding have cost as much as a pass, a pass is made.
///
/// If the model learned the average document, each event moves all its words a little, and they are most entries of the
/// pool. So before a pass over the pool is made, the part of r along that document is taken in, by the products with it
/// that the survey has. Only words of played documents are left then, and their postings are often cheaper than the pass.
///
/// Requires: the same model each time.
/// Lifetime: lends the pool and the survey. Thread safety: none; the work inside may use all threads.
class NearMeans {
 public:
  /// `survey`: of the pool. Without one, the first pass finds the lengths of rows.
  NearMeans(PoolView pool, const PoolSurvey* survey) : pool_(pool), survey_(survey) {}

  /// The model learned the average document of the survey.
  void presume_average() noexcept { is_average_learned_ = true; }

  /// Takes in all weights, in one pass over the pool.
  void take(const ModelWeights& model);

  /// Takes in what is worth it. With a slack, the rows to look at later cost as much as `cost_of_rows(slack)` postings.
  void follow(const ModelWeights& model, const std::function<double(double)>& cost_of_rows);

  /// Frees what grows with the pool. Afterwards no weights are taken in, as in a new object.
  void release() noexcept;

  /// Theta of this model, the one of the last `take` or `follow`, by feature. Valid until the next of them.
  [[nodiscard]] std::span<const double> weights_of_features(const ModelWeights& model);

  /// Requires: some weights were taken in.
  [[nodiscard]] double operator[](DocumentId document) const noexcept {
    return scale_ * static_cast<double>(products_[static_cast<std::size_t>(document)]) + base_mean_;
  }
  /// This many consecutive documents form a group, whose highest mean is kept.
  static constexpr std::int32_t kGrouped = 256;
  [[nodiscard]] double highest(std::int32_t group) const noexcept {
    return scale_ * static_cast<double>(highest_[static_cast<std::size_t>(group)]) + base_mean_;
  }
  /// Upper bound on (exact mean - mean kept here) at the last `take` or `follow`. If `exact`, also on the reverse difference.
  [[nodiscard]] double slack() const noexcept { return slack_; }
  /// Whether nothing but rounding is left to take in.
  [[nodiscard]] bool exact() const noexcept { return exact_; }

  [[nodiscard]] double largest_norm_square() const noexcept { return lengths_->largest_norm_square; }
  /// |theta|^2 of the model at the last `take` or `follow`.
  [[nodiscard]] double theta_square() const noexcept { return theta_square_; }

 private:
  /// By how much the weight of one of the model's coordinates has moved; not 0.
  struct Move {
    FeatureId feature;
    double by;
  };
  /// A coordinate of the model that the average document holds, and its value there.
  struct AverageAt {
    std::size_t coordinate;
    double value;
  };
  /// Sums over the features whose r_j^2 for each document lies between two powers of two.
  struct Level {
    double postings = 0.0;
    double energy = 0.0;  ///< the sum of r_j^2
  };
  static constexpr std::size_t kLevels = 2048;  // one for each exponent of a double

  /// New coordinates begin with the weight 0 taken in.
  void see(std::span<const FeatureId> coordinates);
  /// Estimated from some of the coordinates if they are many. A bad estimate makes `follow` slower, never wrong.
  [[nodiscard]] std::vector<Level> estimated_levels(std::span<const double> theta, double of_fall) const;
  /// The r_j^2 for each document above which a feature is taken in; nothing if that costs more than `most`.
  [[nodiscard]] std::optional<double> cheapest(const std::vector<Level>& levels,
                                               const std::function<double(double)>& cost_of_rows, double most) const;
  void make_room();
  /// Multiplies the weights by the factor that leaves least, if that pays.
  void take_scale(std::span<const double> theta, double of_fall);
  void find_lengths();
  bool find_average(std::span<const FeatureId> coordinates);
  /// The cost of `take_average` in postings; infinite if the model has not learned the average document.
  [[nodiscard]] double cost_of_average() const noexcept;
  /// Returns whether something was taken in.
  bool take_average(const ModelWeights& model);
  void add(std::span<const Move> moves, std::span<const Move> long_moves);
  void measure_groups(RowBlock block);
  /// An upper bound on the size of the products.
  [[nodiscard]] double largest_product() const noexcept;
  void count_rounding(double moved_square, std::size_t sums);
  /// Requires: the products are as they were before the moves.
  void count_rounding_of_products(double moved_square, std::size_t sums);

  PoolView pool_;
  const PoolSurvey* survey_;
  std::optional<RowLengths> lengths_;  // once they are known
  bool is_average_learned_ = false;
  std::vector<AverageAt> average_at_;
  double average_square_ = 0.0;
  // By coordinate of the model, so that `follow` reads memory in order.
  std::vector<double> weights_;        // taken in
  std::vector<std::int32_t> holders_;  // documents that hold the feature, or 1
  double scale_ = 1.0;                 // the factor
  std::vector<float> products_;        // x.weights / scale, by document
  std::vector<float> highest_;         // largest product of each group
  std::vector<float> largest_;         // largest |product| of each group
  std::vector<double> by_feature_;     // theta; 0 for features that no played document holds
  bool by_feature_known_ = false;      // of the model of the last `take` or `follow`
  double base_mean_ = 0.0;
  double theta_square_ = 0.0;
  double rounding_ = 0.0;          // how far products_ may be from x.weights_
  double cost_of_rounding_ = 0.0;  // estimated cost of the rows checked because of it since the last pass
  double slack_ = 0.0;
  bool exact_ = false;
};

}  // namespace inkling
