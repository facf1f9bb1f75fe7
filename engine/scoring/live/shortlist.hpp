// The best few hundred documents with tight bounds on their scores: what a choice looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/id_map.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/scoring/live/list_cut.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/scoring/live/restricted_score.hpp"
#include "engine/scoring/live/score_ceiling.hpp"
#include "engine/scoring/live/score_drift.hpp"
#include "engine/scoring/live/score_survey.hpp"
#include "engine/scoring/ranked.hpp"

namespace inkling {

/// Thread safety: none.
class Shortlist {
 public:
  /// Takes about `goal.documents` candidates, those that could win soonest, and scores them again.
  void draw(const RestrictedScore& score, const ScoreSurvey& survey, const ListGoal& goal, const RelevantFeatures& features,
            RelevantRows& rows);

  [[nodiscard]] std::size_t size() const noexcept { return documents_.size(); }

  /// Must be called with the model's events after `draw`.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward) { drift_.follow_reward(x, reward); }
  /// `raised`: among them are those of the list that hold the new feature, which is the model's last.
  void follow_birth(const RankOneChange& birth, const CholeskyFactor& factor, const RelevantFeatures& features,
                    std::span<const DocumentId> raised, RelevantRows& rows);

  /// This and all members below require that the documents of the list are candidates of the survey.
  [[nodiscard]] std::span<const DocumentId> documents() const noexcept { return documents_; }

  /// Puts all candidates that can score as much as the best on the list. Documents that are on it keep their bounds, so
  /// this is a small part of the work of drawing it again. Returns how many joined.
  std::int64_t extend(double best, const RestrictedScore& score, const ScoreSurvey& survey, const RelevantFeatures& features,
                      RelevantRows& rows);

  /// These candidates of the survey may score more than before: each joins the list or is put under the ceiling.
  /// Returns how many joined.
  std::int64_t take_in(std::span<const DocumentId> raised, const RestrictedScore& score, const ScoreSurvey& survey,
                       const RelevantFeatures& features, RelevantRows& rows);

  struct Choice {
    Ranked best;
    std::int64_t scored = 0;
  };

  /// The best document of the list: scores the document of highest bound, and then every one that may be within `tolerance` of
  /// the highest score.
  [[nodiscard]] Choice best(const RestrictedScore& score, const RelevantFeatures& features, RelevantRows& rows, double tolerance);

  /// No candidate that is not on the list scores above this, at the survey's reach.
  [[nodiscard]] const ScoreCeiling& ceiling() const noexcept { return ceiling_; }

  /// Does nothing if the document is not on the list.
  void retire(DocumentId document) noexcept;

 private:
  /// Sets kept_ to those of the candidates that can score as much as the list's cut, and puts the others under the
  /// ceiling.
  void keep_or_cover(std::span<const DocumentId> candidates, const ScoreSurvey& survey);
  void append(DocumentId document, const ReachLine& line);

  ScoreDrift drift_;
  IdMap<DocumentId> place_of_;
  // By place on the list. A document that has been retired has a mean of minus infinity and no width.
  std::vector<DocumentId> documents_;
  std::vector<double> means_;
  std::vector<double> widths_;
  std::vector<double> bounds_;  // kept for its memory, as is the next
  std::vector<DocumentId> kept_;
  ListCut cut_;
  ScoreCeiling ceiling_;
};

}  // namespace inkling
