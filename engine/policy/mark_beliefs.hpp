// Prior precisions of features, by which were marked and which were shown unmarked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/model/model_options.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// Converts ratings of words apart from any document to marks: keeps those above 0, with their confidence.
[[nodiscard]] std::vector<SaidWord> marks_of(std::span<const SaidWord> ratings);

/// The rule, with d features, noise R and |theta*| <= S; a precision is R^2 over the variance of a weight.
///
/// - Before anything is known, all d features share the weight equally: R^2 d / S^2.
/// - When m of them are marked, those share it: R^2 m / S^2, with m rounded up to a power of two.
/// - A word that matters is marked with probability p where it is shown. If it was shown n times and never marked, the
///   odds that it matters have fallen by (1 - p)^n. So its precision grows by 1 / (1 - p)^n, in steps of four and by 64
///   at most, so that rewards can still outweigh it. Before the very first mark, missing marks have no effect.
/// - p is learned from marked words: how often they were marked again when they were shown again, with a prior of half a
///   mark in ten.
/// - A mark of confidence c < 1 is a mark with probability c; marks of the same word add up. The variance is then
///   between those of a marked and of an unmarked word.
///
/// A precision is a function of what was seen, and not of the order in which it was.
/// Lifetime: owns all it needs. Thread safety: none.
class MarkBeliefs {
 public:
  MarkBeliefs(std::int32_t features, const ConfidenceOptions& confidence, const SoftMarksOptions& options);

  /// The precision of a feature that was never shown.
  [[nodiscard]] double first_precision() const noexcept { return unmarked_; }
  [[nodiscard]] double precision(FeatureId feature) const noexcept;

  /// The document was shown, and these of its features (or others) were marked. A feature may be marked any number of times.
  /// Returns the features whose precision has changed, ascending; valid until the next event. Requires: confidences in (0, 1].
  std::span<const FeatureId> observe_marks(SparseRow shown, std::span<const SaidWord> marks);

  /// The same without checking precisions: for many documents, after which `changed_by_counting` returns the features whose
  /// precision has changed.
  void count(SparseRow shown, std::span<const SaidWord> marks);
  std::span<const FeatureId> changed_by_counting();

  /// Sets another R. The precisions that change with it are not returned by any event. Requires: above 0, and no
  /// precision was given with the options.
  void assume_noise(double noise);

  /// The expected number of features that were marked on purpose.
  [[nodiscard]] double marked() const noexcept;
  /// The current p; 0 if missing marks have no effect yet.
  [[nodiscard]] double mark_probability() const noexcept;

 private:
  struct Belief {
    FeatureId feature = 0;
    std::int32_t shown = 0;
    double doubt = 1.0;               ///< the probability that no mark was meant; 1 if never marked
    double returned_precision = 0.0;  ///< the one last returned as changed, or the first
  };

  /// What is known of a feature; a first belief if nothing is known. The reference is valid until the next call.
  [[nodiscard]] Belief& belief(FeatureId feature);
  /// The same, or nullptr.
  [[nodiscard]] const Belief* known(FeatureId feature) const noexcept {
    const std::int32_t number = number_.find(feature);
    return number == IdMap<FeatureId>::kNone ? nullptr : &beliefs_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] double precision(const Belief& known) const noexcept;

  [[nodiscard]] double precision_shared_by(double features) const noexcept;
  void refresh_rule() noexcept;
  void mark(const SaidWord& mark, SparseRow shown);
  std::span<const FeatureId> changed(IdView shown);
  std::span<const FeatureId> changed_of_all();
  std::span<const FeatureId> keep_changed();

  SoftMarksOptions options_;
  double features_;
  double noise_;
  double norm_bound_;
  double unmarked_;                   // the precision by the first rule
  double marked_precision_ = 0.0;     // the precision by the second rule
  std::int32_t showings_a_step_ = 0;  // by the third rule; 0 if missing marks have no effect yet
  std::vector<Belief> beliefs_;       // of features that were shown or marked
  IdMap<FeatureId> number_;           // of a feature's belief among these
  std::vector<FeatureId> marked_;     // ascending
  std::int64_t shown_again_ = 0;      // all marked features together
  std::int64_t marked_again_ = 0;
  std::vector<FeatureId> changed_;
};

}  // namespace inkling
