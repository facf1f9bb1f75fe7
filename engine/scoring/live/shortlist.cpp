#include "engine/scoring/live/shortlist.hpp"

#include <algorithm>
#include <limits>

#include "engine/scoring/live/score_ceiling.hpp"

namespace inkling {
namespace {

/// One candidate in this many tells where to cut the list.
constexpr std::size_t kSampled = 4;

}  // namespace

void Shortlist::draw(const RestrictedScore& score, const ScoreSurvey& survey, std::size_t wanted,
                     const RelevantFeatures& features, RelevantRows& rows) {
  drift_.restart(score.theta().size());
  const double reach = survey.reach(score.radius());
  BoundSample sample(kSampled);
  for (std::size_t n = 0; n < survey.candidates().size(); n += kSampled) {
    sample.consider(survey.candidates()[n].standing.at_most(reach));
  }
  const double threshold = sample.threshold(wanted);

  documents_.clear();
  means_.clear();
  widths_.clear();
  ceiling_ = ScoreCeiling(reach);
  for (const auto& [then, document] : survey.candidates()) {
    if (then.width == 0.0) continue;
    const double bound = then.at_most(reach);
    if (bound < threshold) {
      ceiling_.include(bound, then.width);
      continue;
    }
    const Standing now = score.standing(rows.row(document, features));
    documents_.push_back(document);
    means_.push_back(now.mean);
    widths_.push_back(now.width);
  }
  bounds_.resize(documents_.size());
}

Shortlist::Choice Shortlist::best(const RestrictedScore& score, const RelevantFeatures& features,
                                  RelevantRows& rows, double tolerance) {
  const double reach = drift_.reach(score.radius());
  for (std::size_t n = 0; n < bounds_.size(); ++n) bounds_[n] = means_[n] + reach * widths_[n];
  Choice choice;
  const auto consider = [&](std::size_t n) {
    ++choice.scored;
    keep_first(choice.best, {documents_[n], score.score(rows.row(documents_[n], features))});
  };
  const Ranked first = first_highest(bounds_);
  if (first.document == kNoDocument) return choice;
  const auto foremost = static_cast<std::size_t>(first.document);
  consider(foremost);
  for (std::size_t n = 0; n < bounds_.size(); ++n) {
    if (bounds_[n] >= choice.best.score - tolerance && n != foremost) consider(n);
  }
  return choice;
}

void Shortlist::retire(DocumentId document) noexcept {
  const auto at = std::ranges::find(documents_, document);
  if (at == documents_.end()) return;
  const auto place = static_cast<std::size_t>(at - documents_.begin());
  means_[place] = -std::numeric_limits<double>::infinity();
  widths_[place] = 0.0;
}

}  // namespace inkling
