#include "engine/scoring/live/shortlist.hpp"

#include <limits>

namespace inkling {
namespace {

/// The place to cut the list is found from a sample of one candidate in this many.
constexpr std::size_t kSampled = 16;
/// Memory is prefetched this many candidates ahead.
constexpr std::size_t kAhead = 16;
/// A list is extended for this many times the current reach, so that the next choice need not extend it again.
constexpr double kReachFurther = 1.005;

}  // namespace

void Shortlist::draw(const RestrictedScore& score, const ScoreSurvey& survey, const ListGoal& goal,
                     const RelevantFeatures& features, RelevantRows& rows) {
  const std::span<const DocumentId> candidates = survey.candidates();
  LineSample sample(kSampled);
  for (std::size_t n = 0; n < candidates.size(); n += kSampled) {
    const std::size_t ahead = n + kSampled * kAhead;
    if (ahead < candidates.size()) survey.prefetch(candidates[ahead]);
    const ReachLine line = survey.packed(candidates[n]).line();
    if (line.width != 0.0) sample.consider(line);
  }
  const double reach = survey.reach(score.radius());
  cut_ = sample.cut(goal, reach, reach);

  drift_.restart(score.theta().size());
  place_of_.clear();
  documents_.clear();
  means_.clear();
  widths_.clear();
  ceiling_ = ScoreCeiling(cut_.reach);
  keep_or_cover(candidates, survey);
  rows.for_each(kept_, features,
                [&](DocumentId document, std::span<const RelevantEntry> row) { append(document, score.line(row)); });
}

void Shortlist::keep_or_cover(std::span<const DocumentId> candidates, const ScoreSurvey& survey) {
  kept_.clear();
  const auto level = rounded_down(cut_.level);
  PackedLine::Bounds bounds;
  survey.look_at(candidates, [&](std::size_t first, std::span<const PackedLine> lines) {
    (void)PackedLine::bound_all(lines, cut_.reach, bounds);
    for (std::size_t n = 0; n < lines.size(); ++n)
      if (bounds.most[n] >= level)
        kept_.push_back(candidates[first + n]);
      else
        ceiling_.include(bounds.most[n], bounds.width_step[n]);
  });
}

void Shortlist::append(DocumentId document, const ReachLine& line) {
  place_of_.set(document, static_cast<std::int32_t>(documents_.size()));
  documents_.push_back(document);
  means_.push_back(line.mean);
  widths_.push_back(line.width);
}

void Shortlist::follow_birth(const RankOneChange& birth, const CholeskyFactor& factor, const RelevantFeatures& features,
                             std::span<const DocumentId> raised, RelevantRows& rows) {
  const ScoreDrift::Birth born = drift_.follow_birth(birth, factor);
  const std::int32_t position = features.size() - 1;
  for (const DocumentId document : raised) {
    const std::int32_t found = place_of_.find(document);
    if (found == IdMap<DocumentId>::kNone) continue;
    const std::span<const RelevantEntry> row = rows.row(document, features);
    if (row.empty() || row.back().position != position) continue;
    const auto place = static_cast<std::size_t>(found);
    const ReachLine line = born.line({means_[place], widths_[place]}, static_cast<double>(row.back().value));
    means_[place] = line.mean;
    widths_[place] = line.width;
  }
}

std::int64_t Shortlist::extend(double best, const RestrictedScore& score, const ScoreSurvey& survey,
                               const RelevantFeatures& features, RelevantRows& rows) {
  cut_ = {kReachFurther * survey.reach(score.radius()), best};
  ceiling_ = ScoreCeiling(cut_.reach);
  return take_in(survey.candidates(), score, survey, features, rows);
}

std::int64_t Shortlist::take_in(std::span<const DocumentId> raised, const RestrictedScore& score, const ScoreSurvey& survey,
                                const RelevantFeatures& features, RelevantRows& rows) {
  const std::size_t before = documents_.size();
  keep_or_cover(raised, survey);
  std::size_t ahead = 0;
  std::erase_if(kept_, [&](DocumentId document) {
    if (ahead + kAhead < kept_.size()) place_of_.prefetch(kept_[ahead++ + kAhead]);
    return place_of_.contains(document);
  });
  rows.for_each(kept_, features, [&](DocumentId document, std::span<const RelevantEntry> row) {
    if (!place_of_.contains(document))  // `raised` may hold a document twice
      append(document, drift_.by_reference(score.line(row), row));
  });
  return static_cast<std::int64_t>(documents_.size() - before);
}

Shortlist::Choice Shortlist::best(const RestrictedScore& score, const RelevantFeatures& features, RelevantRows& rows,
                                  double tolerance) {
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
  for (std::size_t n = 0; n < bounds_.size(); ++n)
    if (bounds_[n] >= choice.best.score - tolerance && n != foremost) consider(n);
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
