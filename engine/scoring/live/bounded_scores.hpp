// The best documents by a model of all features: a mean for each document, a width only for those that could win.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/scoring/live/best_kept.hpp"
#include "engine/scoring/live/near_means.hpp"
#include "engine/scoring/ranked.hpp"
#include "engine/scoring/scan/vector_means.hpp"
#include "engine/sparse/whole_row.hpp"

namespace inkling {

class DualRidgeModel;

/// Scores exactly only the documents whose bound, (bound of the mean) + radius * (bound of the width), is as high as
/// the best exact score found.
/// - With a radius of 0 widths do not matter, and means are kept near (`NearMeans`): after an event a few of the
///   postings are added up, and the documents that may still win are multiplied with theta. A sample of the means tells
///   beforehand how many these will be. If they are too many after all, one product with theta gives all means.
/// - If the documents have vectors, what these add to the means is computed for each choice (`VectorMeans`).
/// - With another radius, each choice computes all means by that product. An observation can only narrow a width, so
///   the last known width of a document bounds it; at first that is the prior one.
///
/// What is best is a function of the model alone, to the last bit: bounds carry margins far above rounding, and only
/// exact scores are compared, which have the bits of `DualScan`.
///
/// Lifetime: lends the pool. Thread safety: none; the work inside may use all threads, and its result does not depend
/// on how many.
class BoundedScores {
 public:
  /// `survey`: as `NearMeans` takes it.
  explicit BoundedScores(PoolView pool, const PoolSurvey* survey = nullptr);

  /// The model learned the average document of the survey.
  void presume_average() noexcept { means_.presume_average(); }

  /// The model learned something.
  void follow_observation() noexcept { means_known_ = false; }
  /// The model changed in another way: widths may have grown.
  void follow_change() noexcept {
    means_known_ = false;
    widths_known_ = false;
  }

  /// Frees all that grows with the pool. It is computed again when it is needed.
  void release() noexcept;

  /// The `count` documents of highest mean + radius * width among those that remain, best first, ties to the lowest row.
  /// Requires: radius >= 0 and finite, and 0 if the documents have vectors; the first coordinates of the model are then the numbers
  /// of the vectors. Every change of the model was reported.
  [[nodiscard]] std::vector<Ranked> best(const DualRidgeModel& model, double radius, std::size_t count, const Remains& remains);

  /// How many documents were scored exactly so far.
  [[nodiscard]] std::int64_t documents_scored() const noexcept { return scored_; }

 private:
  /// How far means and squared widths may be from the exact ones by rounding.
  struct Margin {
    double mean = 0.0;
    double square = 0.0;
  };

  void bring_means(const DualRidgeModel& model, double radius);
  /// Computes what vectors add to the means. To be called whenever those of the words have changed.
  void bring_vectors(const DualRidgeModel& model);
  [[nodiscard]] ModelWeights weights_of_words(const DualRidgeModel& model) const;
  /// The mean as it is kept, and the highest one of a group.
  [[nodiscard]] double mean(DocumentId document) const noexcept {
    return vectors_ ? means_[document] + (*vectors_)[document] : means_[document];
  }
  [[nodiscard]] double highest(std::int32_t group) const noexcept {
    return vectors_ ? highest_[static_cast<std::size_t>(group)] : means_.highest(group);
  }
  /// The cost of multiplying this many documents with theta, in postings.
  [[nodiscard]] double cost_of(double documents) const noexcept;
  /// By how much the means of some documents are below the highest ones, ascending.
  [[nodiscard]] std::vector<double> sampled_gaps() const;
  /// The same for the highest mean of each group, if the gap is less than `most`.
  [[nodiscard]] std::vector<double> gaps_of_groups(double most) const;
  /// Whether putting the weights in order of features costs less than looking up the words of these documents.
  [[nodiscard]] bool are_worth_weights(std::span<const Ranked> candidates, const DualRidgeModel& model) const noexcept;
  /// The candidates that do not score below `least` by the current weights.
  [[nodiscard]] std::vector<Ranked> narrowed(std::vector<Ranked> candidates, const DualRidgeModel& model, double least);
  void take_prior_widths(const DualRidgeModel& model);
  [[nodiscard]] double rounding_of_means(const DualRidgeModel& model) const noexcept;
  [[nodiscard]] Margin margin(const DualRidgeModel& model) const noexcept;
  [[nodiscard]] double bound(DocumentId document, double radius, const Margin& margin) const noexcept;
  /// The documents of highest bound by their means alone, best first: groups of documents are looked at from the highest one on.
  [[nodiscard]] std::vector<Ranked> highest_means(const Margin& margin, std::size_t count, const Remains& remains) const;
  /// The documents of highest bound, best first.
  [[nodiscard]] std::vector<Ranked> highest_bounds(double radius, const Margin& margin, std::size_t count,
                                                   const Remains& remains) const;
  /// All whose bound is not below `least`, except those that were scored already, which ascend.
  [[nodiscard]] std::vector<Ranked> bounds_above(double least, double radius, const Margin& margin,
                                                 std::span<const DocumentId> scored, const Remains& remains) const;
  /// Scores candidates from the highest bound on, as long as one may still be among the best.
  void score_from_highest(std::vector<Ranked>& candidates, const DualRidgeModel& model, double radius, BestKept& best);
  void score(std::span<const Ranked> candidates, const DualRidgeModel& model, double radius, BestKept& best);

  PoolView pool_;
  NearMeans means_;                     // by words
  std::optional<VectorMeans> vectors_;  // if documents have vectors
  std::vector<double> highest_;         // with them: of each group
  WholeRow whole_;
  std::vector<double> squares_;         // upper bounds of squared widths, up to rounding
  std::optional<double> highest_mean_;  // of those that remained after the last choice, if there was one
  bool means_known_ = false;
  bool widths_known_ = false;
  std::int64_t scored_ = 0;
};

}  // namespace inkling
