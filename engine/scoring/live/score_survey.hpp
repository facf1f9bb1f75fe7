// A bound on every document's score, and the few per cent of documents whose bounds are highest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/live/list_cut.hpp"
#include "engine/scoring/live/packed_standing.hpp"
#include "engine/scoring/live/relevant_postings.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/live/score_ceiling.hpp"
#include "engine/scoring/live/score_drift.hpp"

namespace inkling {

/// What rewards did to weights moves the means of all documents up, by no more than ScoreDrift tells. Most of that is often
/// the work of one or two features, which few documents hold: settling a feature brings into the means of these what
/// happened to its weight, and takes it out of the drift of all. Where that does not pay any more, means are brought up to
/// date by one sparse product; widths, which cost the square of a row's entries, stay what they were as long as that is
/// narrow enough: rewards only take from them, and what a birth may add is known. Documents without a relevant feature
/// have width 0; they are neither candidates nor under the ceiling, because they score 0 without being looked at.
///
/// Thread safety: none; the work inside may use all threads, and its result does not depend on how many.
class ScoreSurvey {
 public:
  /// Lifetime: lends the postings.
  explicit ScoreSurvey(CsrView by_feature);

  /// The model's features are these postings.
  [[nodiscard]] RelevantPostings& postings() noexcept { return postings_; }

  /// Scores every document, and lists about as many candidates as wished.
  void take(const RestrictedScore& score, const ListWish& wish);

  // The next three require: taken since the last removal of a feature.

  /// Brings all means up to date and lists about as many candidates as wished.
  void refresh_means(const RestrictedScore& score, const ListWish& wish);

  /// Lists about as many candidates as wished by what is known of all documents.
  void list_again(const RestrictedScore& score, const ListWish& wish);

  /// Tells the drift as short as it can be without a look at a document.
  void relax(const RidgeModel& model) { drift_.relax(model, postings_.never_negative()); }

  /// Settles the feature with which most drift goes away for a document looked at, and relaxes what is left. Returns how many
  /// documents hold it; 0 where nothing can be settled. Requires: relaxed since the last event.
  std::int64_t settle(const RidgeModel& model);

  /// What happened since the last call of these two. The documents that hold a new feature get bounds that take it
  /// in. Settled or new, a feature makes candidates of the documents that may win with it.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward) {
    drift_.follow_reward(x, reward);
  }
  void follow_birth(FeatureId feature, const RankOneChange& birth, const RidgeModel& model);

  /// What documents may score above their means, in widths.
  [[nodiscard]] double reach(double radius) const noexcept { return drift_.reach(radius); }
  /// What relaxing, settling and fresh means could take away of it.
  [[nodiscard]] double drift() const noexcept { return drift_.drift(); }

  [[nodiscard]] std::span<const DocumentId> candidates() const noexcept { return candidates_; }
  [[nodiscard]] PackedStanding packed(DocumentId document) const noexcept {
    return standings_[static_cast<std::size_t>(document)];
  }
  /// Its standing will be asked for.
  void prefetch(DocumentId document) const noexcept {
    __builtin_prefetch(standings_.data() + static_cast<std::size_t>(document), 1);
  }
  /// Candidates that may score more than before, or were none, since these were forgotten or the last listing.
  [[nodiscard]] std::span<const DocumentId> raised() const noexcept { return raised_; }
  void forget_raised() noexcept { raised_.clear(); }
  /// No document that is not a candidate scores above this.
  [[nodiscard]] const ScoreCeiling& ceiling() const noexcept { return ceiling_; }
  /// Scores apart by less may be apart by rounding alone. Infinite where scores are beyond the range of a float: then
  /// bounds tell nothing.
  [[nodiscard]] double tolerance() const noexcept { return tolerance_; }

  void retire(DocumentId document) noexcept {
    standings_[static_cast<std::size_t>(document)] = PackedStanding::retired();
  }
  [[nodiscard]] bool retired(DocumentId document) const noexcept { return packed(document).is_retired(); }
  /// Holds no relevant feature, and is not retired.
  [[nodiscard]] bool bare(DocumentId document) const noexcept {
    return !packed(document).counts() && !retired(document);
  }

 private:
  /// What one block of documents adds to the lists.
  struct Found {
    double largest = 0.0;
    std::vector<DocumentId> candidates;
    ScoreCeiling ceiling;
  };

  template <typename Update>
  void renew(const RestrictedScore& score, const ListWish& wish, const Update& update_block);
  void score_block(std::int32_t index, const RestrictedScore& score);
  void refresh_block(std::int32_t index, const RestrictedScore& score, double growth);
  [[nodiscard]] StandingSample sample(std::int32_t stride) const;
  template <typename Before>
  void list(const Before& before);
  void forget_candidates();
  void list_block(std::int32_t index, Found& found);
  template <typename Change>
  void change_holders(SparseRow postings, const Change& change);
  [[nodiscard]] double replace(std::span<const DocumentId> documents, std::span<PackedStanding> now);

  RelevantPostings postings_;
  std::vector<PackedStanding> standings_;  // by document
  ScoreDrift drift_;
  ListCut cut_;                         // of the candidates
  std::vector<DocumentId> candidates_;  // those that were retired since are still there
  std::vector<DocumentId> raised_;
  std::vector<Found> found_;  // by block, kept for its memory
  ScoreCeiling ceiling_;
  double tolerance_ = 0.0;
};

}  // namespace inkling
