#include "engine/scoring/live/sublinear_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace inkling {
namespace {

// What work costs, in bounds looked at: measured, and within a factor of two on any machine.
constexpr std::int64_t kScore = 30;         // one document by its restricted row
constexpr std::int64_t kListed = 60;        // one that joins the shortlist
constexpr std::int64_t kMeanRefreshed = 5;  // one document whose mean is brought up to date
constexpr std::int64_t kSurveyed = 100;     // one document of a whole survey

}  // namespace

SublinearScores::SublinearScores(PoolView pool, CircleSizes sizes)
    : pool_(pool), sizes_(sizes), rows_(pool.by_document), survey_(pool.by_feature) {}

void SublinearScores::observe(DocumentId document, const RidgeModel& model, const RankOneChange& reward) {
  if (reward.rebuilt) return refresh();
  if (widths_.stale || reward.square_gain == 0.0) return;
  const std::span<const RelevantEntry> x =
      pool_.holds(document) ? rows_.row(document - pool_.first_document(), model.features())
                            : row_elsewhere(document, model.features());
  survey_.follow_reward(x, reward);
  if (!list_.stale) shortlist_.follow_reward(x, reward);
}

std::span<const RelevantEntry> SublinearScores::row_elsewhere(DocumentId document,
                                                              const RelevantFeatures& features) {
  row_elsewhere_.clear();
  restrict_row(pool_.row_of(document), features, row_elsewhere_);
  return row_elsewhere_;
}

void SublinearScores::adopt(FeatureId feature, const RankOneChange& birth) {
  const auto position = static_cast<std::int32_t>(survey_.postings().size());
  rows_.append(pool_.by_feature.row(feature), position);
  list_.stale = true;
  if (birth.rebuilt) refresh();
  if (widths_.stale) {
    survey_.postings().append(feature);
  } else {
    survey_.follow_birth(feature, birth);
    looked_at_ += static_cast<std::int64_t>(pool_.by_feature.row(feature).size());
  }
}

void SublinearScores::forget(std::int32_t position) {
  rows_.forget_all();
  survey_.postings().remove(position);
  first_bare_ = 0;
  refresh();
}

void SublinearScores::retire(DocumentId document) {
  survey_.retire(document);
  shortlist_.retire(document);
}

void SublinearScores::refresh() noexcept {
  widths_.stale = true;
  means_.stale = true;
  list_.stale = true;
}

Ranked SublinearScores::best(const RidgeModel& model, double radius) {
  const RestrictedScore score(model, radius);
  bool fresh_means = false;
  bool fresh_list = false;
  for (;;) {
    if (widths_.due() || means_.due()) {
      renew_survey(score);
      fresh_means = true;
    }
    if (list_.due()) {
      draw_shortlist(model, score);
      fresh_list = true;
    }
    const Ranked best = best_listed(model, score);
    const double reach = survey_.reach(radius);
    const auto beats = [&](const ScoreCeiling& ceiling) {
      const double most = ceiling.at_most(reach);
      return most == -std::numeric_limits<double>::infinity() || most < best.score - survey_.tolerance();
    };
    const bool beats_others = beats(survey_.ceiling());
    if (beats_others && beats(shortlist_.ceiling())) return best;
    if (beats_others && !fresh_list) {
      list_.stale = true;
      means_.spent += list_.cost;
    } else if (!fresh_means) {
      means_.stale = true;
    } else if (widths_.spent != 0) {
      widths_.stale = true;
    } else {
      return best_of_all(model, score);
    }
  }
}

void SublinearScores::renew_survey(const RestrictedScore& score) {
  const auto documents = static_cast<std::int64_t>(pool_.documents());
  const std::size_t candidates =
      std::max(sizes_.fewest_candidates, static_cast<std::size_t>(documents) / sizes_.candidate_share);
  const std::int64_t refreshing = kMeanRefreshed * documents;
  if (widths_.due()) {
    survey_.take(score, candidates);
    widths_.renew(kSurveyed * documents);
  } else {
    survey_.refresh_means(score, candidates);
    widths_.spent += refreshing;
  }
  means_.renew(refreshing);
  list_.stale = true;
  looked_at_ += documents;
}

void SublinearScores::draw_shortlist(const RidgeModel& model, const RestrictedScore& score) {
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(survey_.candidates().size())));
  shortlist_.draw(score, survey_, std::max(sizes_.shortest_list, sizes_.list_factor * root), model.features(),
                  rows_);
  const auto drawn = static_cast<std::int64_t>(shortlist_.size());
  list_.renew(2 * static_cast<std::int64_t>(survey_.candidates().size()) + kListed * drawn);
  looked_at_ += drawn;
}

Ranked SublinearScores::best_listed(const RidgeModel& model, const RestrictedScore& score) {
  Shortlist::Choice choice = shortlist_.best(score, model.features(), rows_, survey_.tolerance());
  list_.spent += static_cast<std::int64_t>(shortlist_.size()) + kScore * choice.scored;
  looked_at_ += choice.scored;
  const DocumentId bare = first_bare();
  if (bare != kNoDocument) keep_first(choice.best, {bare, 0.0});
  return choice.best;
}

Ranked SublinearScores::best_of_all(const RidgeModel& model, const RestrictedScore& score) {
  Ranked best;
  for (DocumentId i = 0; i < pool_.documents(); ++i) {
    if (!survey_.retired(i)) keep_first(best, {i, score.score(rows_.row(i, model.features()))});
  }
  looked_at_ += pool_.documents();
  return best;
}

DocumentId SublinearScores::first_bare() noexcept {
  while (first_bare_ < pool_.documents() && !survey_.bare(first_bare_)) ++first_bare_;
  return first_bare_ < pool_.documents() ? first_bare_ : kNoDocument;
}

}  // namespace inkling
