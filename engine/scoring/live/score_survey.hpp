// A bound on every document's score, and the few per cent of documents whose bounds are highest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/live/score_ceiling.hpp"
#include "engine/scoring/live/score_drift.hpp"

namespace inkling {

/// Means are brought up to date by one sparse product; widths, which cost the square of a row's entries, stay
/// what they were as long as that is narrow enough: rewards only take from them, and what a birth may add is
/// known (ScoreDrift). Documents without a relevant feature have width 0; they are neither candidates nor
/// under the ceiling, because they score 0 without being looked at.
///
/// Thread safety: none; the work inside may use all threads, and its result does not depend on how many.
class ScoreSurvey {
 public:
  /// Lifetime: lends the postings.
  explicit ScoreSurvey(CsrView by_feature);

  /// The model's features are these postings.
  [[nodiscard]] RelevantPostings& postings() noexcept { return postings_; }

  /// Scores every document, and lists about this many candidates.
  void take(const RestrictedScore& score, std::size_t wanted);

  /// Brings the means up to date and lists about this many candidates. Requires: taken since the last removal
  /// of a feature.
  void refresh_means(const RestrictedScore& score, std::size_t wanted);

  /// What happened since the last call of these two. The documents that hold a new feature get bounds that take it
  /// in, and some of them become candidates.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward) {
    drift_.follow_reward(x, reward);
  }
  void follow_birth(FeatureId feature, const RankOneChange& birth);

  /// What documents may score above their means, in widths.
  [[nodiscard]] double reach(double radius) const noexcept { return drift_.reach(radius); }

  /// A document with its standing; a width of 0 where it has been retired.
  struct Candidate {
    Standing standing;
    DocumentId document = 0;
  };
  [[nodiscard]] std::span<const Candidate> candidates() const noexcept { return candidates_; }
  /// No document that is not a candidate scores above this.
  [[nodiscard]] const ScoreCeiling& ceiling() const noexcept { return ceiling_; }
  /// Scores apart by less may be apart by rounding alone.
  [[nodiscard]] double tolerance() const noexcept { return tolerance_; }

  void retire(DocumentId document) noexcept;
  [[nodiscard]] bool retired(DocumentId document) const noexcept {
    return places_[static_cast<std::size_t>(document)] == kRetired;
  }
  /// Holds no relevant feature, and is not retired.
  [[nodiscard]] bool bare(DocumentId document) const noexcept {
    return !retired(document) && widths_[static_cast<std::size_t>(document)] == 0.0;
  }

 private:
  // Places that are not among the candidates.
  static constexpr std::int32_t kNotListed = -1;
  static constexpr std::int32_t kRetired = -2;

  /// What one block of documents adds to the lists.
  struct Found {
    double largest = 0.0;
    std::vector<Candidate> candidates;
    ScoreCeiling ceiling;
  };

  template <typename Update>
  void renew(const RestrictedScore& score, std::size_t wanted, const Update& update_block);
  void score_block(std::int32_t index, const RestrictedScore& score);
  void refresh_block(std::int32_t index, const RestrictedScore& score, double growth);
  [[nodiscard]] BoundSample sample(std::int32_t stride) const;
  template <typename Before>
  void list(double threshold, const Before& before);
  void list_block(std::int32_t index, double threshold, Found& found);
  void prefetch(std::size_t document) const noexcept;
  void set_standing(std::size_t document, const Standing& standing, double reach);

  RelevantPostings postings_;
  std::vector<double> means_;         // by document
  std::vector<double> widths_;        // by document
  std::vector<std::int32_t> places_;  // by document, among the candidates
  ScoreDrift drift_;
  double radius_ = 0.0;  // at the last listing, as is the reach
  double listed_reach_ = 0.0;
  std::vector<Candidate> candidates_;
  std::vector<Found> found_;  // by block, kept for its memory
  ScoreCeiling ceiling_;
  double tolerance_ = 0.0;
};

}  // namespace inkling
