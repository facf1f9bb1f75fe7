#include "engine/scoring/live/shortlist.hpp"

#include <limits>

namespace inkling {
namespace {

/// One candidate in this many tells where to cut the list.
constexpr std::size_t kSampled = 16;
/// So many candidates ahead, memory is asked for.
constexpr std::size_t kCandidatesAhead = 24;

}  // namespace

void Shortlist::draw(const RestrictedScore& score, const ScoreSurvey& survey, const ListWish& wish,
                     const RelevantFeatures& features, RelevantRows& rows) {
  const std::span<const DocumentId> candidates = survey.candidates();
  StandingSample sample(kSampled);
  for (std::size_t n = 0; n < candidates.size(); n += kSampled) {
    const Standing standing = survey.standing(candidates[n]);
    if (standing.width != 0.0) sample.consider(standing);
  }
  const double reach = survey.reach(score.radius());
  cut_ = sample.cut(wish, reach, reach);

  drift_.restart(score.theta().size());
  place_of_.clear();
  documents_.clear();
  means_.clear();
  widths_.clear();
  ceiling_ = ScoreCeiling(cut_.reach);
  kept_.clear();
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    if (n + kCandidatesAhead < candidates.size()) survey.prefetch(candidates[n + kCandidatesAhead]);
    const Standing then = survey.standing(candidates[n]);
    if (then.width == 0.0) continue;
    if (cut_.keeps(then)) {
      kept_.push_back(candidates[n]);
    } else {
      ceiling_.include(then);
    }
  }
  rows.for_each(kept_, features, [&](DocumentId document, std::span<const RelevantEntry> row) {
    append(document, score.standing(row));
  });
}

void Shortlist::append(DocumentId document, const Standing& standing) {
  place_of_.set(document, static_cast<std::int32_t>(documents_.size()));
  documents_.push_back(document);
  means_.push_back(standing.mean);
  widths_.push_back(standing.width);
}

void Shortlist::follow_birth(const RankOneChange& birth, const RidgeModel& model,
                             std::span<const DocumentId> raised, RelevantRows& rows) {
  const ScoreDrift::Birth born = drift_.follow_birth(birth, model.factor());
  const std::int32_t position = model.features().size() - 1;
  for (const DocumentId document : raised) {
    const std::int32_t found = place_of_.find(document);
    if (found == IdMap<DocumentId>::kNone) continue;
    const std::span<const RelevantEntry> row = rows.row(document, model.features());
    if (row.empty() || row.back().position != position) continue;
    const auto place = static_cast<std::size_t>(found);
    const Standing standing =
        born.standing({means_[place], widths_[place]}, static_cast<double>(row.back().value));
    means_[place] = standing.mean;
    widths_[place] = standing.width;
  }
}

std::int64_t Shortlist::take_in(std::span<const DocumentId> raised, const RestrictedScore& score,
                                const ScoreSurvey& survey, const RelevantFeatures& features,
                                RelevantRows& rows) {
  const std::size_t before = documents_.size();
  kept_.clear();
  for (std::size_t n = 0; n < raised.size(); ++n) {
    if (n + kCandidatesAhead < raised.size()) survey.prefetch(raised[n + kCandidatesAhead]);
    const Standing then = survey.standing(raised[n]);
    if (then.width == 0.0) continue;
    if (!cut_.keeps(then)) {
      ceiling_.include(then);
    } else if (!place_of_.contains(raised[n])) {
      kept_.push_back(raised[n]);
    }
  }
  rows.for_each(kept_, features, [&](DocumentId document, std::span<const RelevantEntry> row) {
    if (!place_of_.contains(document))  // a document may have been raised twice
      append(document, drift_.by_reference(score.standing(row), row));
  });
  return static_cast<std::int64_t>(documents_.size() - before);
}

Shortlist::Choice Shortlist::best(const RestrictedScore& score, const RelevantFeatures& features,
                                  RelevantRows& rows, double tolerance) {
  const double reach = drift_.reach(score.radius());
  bounds_.resize(documents_.size());
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
  const std::int32_t found = place_of_.find(document);
  if (found == IdMap<DocumentId>::kNone) return;
  const auto place = static_cast<std::size_t>(found);
  means_[place] = -std::numeric_limits<double>::infinity();
  widths_[place] = 0.0;
}

}  // namespace inkling
