#include "engine/scoring/shortlist.hpp"

#include <algorithm>

#include "engine/scoring/bound_sample.hpp"

namespace inkling {
void Shortlist::draw(const RestrictedScore& score, const ScoreSurvey& survey, std::size_t wanted,
                     const RelevantFeatures& features, RelevantRows& rows) {
  drift_.restart(score.theta().size());
  reach_ = drift_.reach(score.radius());
  const double reach = survey.reach(score.radius());
  BoundSample sample;
  for (const ScoreSurvey::Candidate& candidate : survey.candidates()) {
    sample.consider(candidate.standing.at_most(reach));
  }
  const double threshold = sample.threshold(wanted);

  entries_.clear();
  widest_ = 0.0;
  ceiling_ = ScoreCeiling(reach);
  for (const auto& [then, document] : survey.candidates()) {
    if (then.width == 0.0) continue;
    const double bound = then.at_most(reach);
    if (bound < threshold) {
      ceiling_.include(bound, then.width);
      continue;
    }
    const Standing now = score.standing(rows.row(document, features));
    entries_.push_back({now.at_most(reach_), now, document});
    widest_ = std::max(widest_, now.width);
  }
  std::ranges::sort(entries_, [](const Entry& left, const Entry& right) {
    return left.bound > right.bound || (left.bound == right.bound && left.document < right.document);
  });
}

Shortlist::Choice Shortlist::best(const RestrictedScore& score, const RelevantFeatures& features,
                                  RelevantRows& rows, double tolerance) const {
  const double reach = drift_.reach(score.radius());
  const double rise = widest_ * std::max(0.0, reach - reach_);
  Choice choice;
  for (const Entry& entry : entries_) {
    const double needed = choice.best.score - tolerance;
    if (entry.bound + rise < needed) break;
    ++choice.passed;
    if (entry.document == kNoDocument || entry.standing.at_most(reach) < needed) continue;
    ++choice.scored;
    keep_first(choice.best, {entry.document, score.score(rows.row(entry.document, features))});
  }
  return choice;
}

void Shortlist::retire(DocumentId document) noexcept {
  const auto at = std::ranges::find(entries_, document, &Entry::document);
  if (at != entries_.end()) at->document = kNoDocument;
}

}  // namespace inkling
