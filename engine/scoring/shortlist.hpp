// The best few hundred documents, sorted by a bound on their scores: what a choice looks at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/relevant_features.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/relevant_rows.hpp"
#include "engine/scoring/restricted_score.hpp"
#include "engine/scoring/score_ceiling.hpp"
#include "engine/scoring/score_drift.hpp"
#include "engine/scoring/score_survey.hpp"

namespace inkling {

/// Thread safety: none.
class Shortlist {
 public:
  /// Takes about so many candidates, those of highest bound, and scores them afresh.
  void draw(const RestrictedScore& score, const ScoreSurvey& survey, std::size_t wanted,
            const RelevantFeatures& features, RelevantRows& rows);

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

  /// What happened since then. A birth ends a shortlist.
  void follow_reward(std::span<const RelevantEntry> x, const RankOneChange& reward) {
    drift_.follow_reward(x, reward);
  }

  struct Choice {
    Ranked best;
    std::int64_t scored = 0;
    std::int64_t passed = 0;  ///< bounds looked at
  };

  /// The first in rank of the list: scores every document that may be within `tolerance` of the highest.
  [[nodiscard]] Choice best(const RestrictedScore& score, const RelevantFeatures& features,
                            RelevantRows& rows, double tolerance) const;

  /// No candidate that is not on the list scores above this, at the survey's reach.
  [[nodiscard]] const ScoreCeiling& ceiling() const noexcept { return ceiling_; }

  /// Nothing happens where it is not on the list.
  void retire(DocumentId document) noexcept;

 private:
  struct Entry {
    double bound;  // when the list was drawn
    Standing standing;
    DocumentId document;  // kNoDocument once retired
  };

  ScoreDrift drift_;
  std::vector<Entry> entries_;  // the highest bound first
  double reach_ = 0.0;          // when the list was drawn
  double widest_ = 0.0;
  ScoreCeiling ceiling_;
};

}  // namespace inkling
