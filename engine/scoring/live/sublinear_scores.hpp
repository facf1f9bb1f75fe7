// The best document without looking at all of them: exact, and sublinear in the size of the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/live/score_survey.hpp"
#include "engine/scoring/live/shortlist.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

/// How long the lists are, when features are settled, and when all is brought up to date.
struct CircleSizes {
  std::size_t candidate_share = 32;  ///< one document in this many is a candidate
  std::size_t fewest_candidates = 1024;
  std::size_t list_factor = 8;  ///< the shortlist has this many times the root of the number of candidates
  std::size_t shortest_list = 64;
  /// Features are settled only if relaxing the drift costs at most one part in this many of bringing all means up to date.
  std::int64_t relaxing_part = 8;
  /// Means are renewed when settling and extending have cost this many times as much as bringing all means up to date.
  std::int64_t means_age = 8;
  /// Widths are renewed when lists and means have cost this many times as much as measuring all widths.
  std::int64_t widths_age = 1;
  /// At most this many blocks are renewed with one choice.
  std::int32_t renewed_blocks = 16;
};

/// Three lists, from long to short; the longer ones are looked at less often. The survey holds a bound for every
/// document, as of its last update. Its candidates are the few per cent that could win
/// soonest; one ceiling bounds the others. The shortlist holds the best few hundred candidates with fresh scores, and a
/// ceiling over the other candidates. A choice looks at the bounds of the shortlist and scores the documents that may
/// still beat the best found. If a ceiling is as high as that best score, the few features whose weights have risen
/// most are settled. If that does not help, candidates that may win join the shortlist, or the candidates are chosen
/// again. The shortlist is drawn anew when that saves more than it costs. When settling and extending have cost as much
/// as `CircleSizes` allows, all means are renewed, a part of them with each choice.
///
/// The choice is that of a scan of all documents with the model's theta and V^-1, ties to the lowest row: bounds carry margins
/// far above rounding, and only exact scores are compared.
///
/// Requires throughout: a model that keeps V^-1 (InverseUse::kept).
/// Lifetime: lends the pool. Thread safety: none; the work inside may use all threads, and its result does
/// not depend on how many.
class SublinearScores {
 public:
  explicit SublinearScores(PoolView pool, CircleSizes sizes = {});

  /// Call this after each event of the model, with its change. The document is numbered in the whole pool.
  void observe(DocumentId document, const RidgeModel& model, const RankOneChange& reward);
  void adopt(FeatureId feature, const RankOneChange& birth, const RidgeModel& model);

  /// The document is not to be chosen any more.
  void retire(DocumentId document);

  /// The model changed by more than these events: every document is scored again at the next choice.
  void refresh() noexcept;

  /// The document of highest mean + radius * width, ties to the lowest row; kNoDocument where all are
  /// retired. Requires: radius >= 0 and finite; the model's features are those of these scores.
  [[nodiscard]] Ranked best(const RidgeModel& model, double radius);

  /// How many documents were looked at so far, in all lists, births included.
  [[nodiscard]] std::int64_t documents_scored() const noexcept { return looked_at_; }

 private:
  /// Decides when a list is made again: once the work since then equals the cost of making it, in bound checks.
  struct Age {
    bool stale = true;
    std::int64_t cost = 0;  // of making it
    std::int64_t spent = 0;

    [[nodiscard]] bool due() const noexcept { return stale || spent > cost; }
    void renew(std::int64_t new_cost) noexcept { *this = {false, new_cost, 0}; }
  };

  [[nodiscard]] std::span<const RelevantEntry> row_elsewhere(DocumentId document, const RelevantFeatures& features);
  [[nodiscard]] bool is_adrift(double radius) const noexcept;
  [[nodiscard]] bool settling_pays() const noexcept;
  [[nodiscard]] bool settle(const RidgeModel& model, double radius, std::int64_t& documents_left);
  [[nodiscard]] std::size_t wanted_candidates() const noexcept;
  void take_survey(const RestrictedScore& score);
  void refresh_means(const RestrictedScore& score);
  void renew_part(const RidgeModel& model, const RestrictedScore& score);
  void means_are_fresh() noexcept;
  void widths_are_fresh() noexcept;
  void settle_and_list(const RidgeModel& model, const RestrictedScore& score);
  void candidates_listed();
  void extend_shortlist(double best, const RidgeModel& model, const RestrictedScore& score);
  void take_in_raised(const RidgeModel& model, const RestrictedScore& score);
  void draw_shortlist(const RidgeModel& model, const RestrictedScore& score);
  [[nodiscard]] Ranked best_listed(const RidgeModel& model, const RestrictedScore& score);
  [[nodiscard]] Ranked best_of_all(const RidgeModel& model, const RestrictedScore& score);
  [[nodiscard]] DocumentId first_bare() noexcept;

  PoolView pool_;
  CircleSizes sizes_;
  RelevantRows rows_;
  std::vector<RelevantEntry> row_elsewhere_;  // kept for its memory
  ScoreSurvey survey_;
  Age widths_;
  Age means_;
  std::size_t listed_candidates_ = 0;  // when they were last chosen
  Shortlist shortlist_;
  Age list_;
  bool list_is_behind_ = false;       // the candidates have changed since it was drawn
  DocumentId first_bare_ = 0;         // no row below it is bare
  std::optional<double> best_score_;  // of the last choice
  std::int64_t looked_at_ = 0;
};

}  // namespace inkling
