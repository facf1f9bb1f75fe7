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
constexpr std::int64_t kListedAgain = 2;    // one document of the pool, where the candidates are chosen again
constexpr std::int64_t kSettled = 4;        // one document that holds a feature that is settled
constexpr std::int64_t kRelaxed = 6;        // one entry of V, where the drift is relaxed
constexpr std::int64_t kSurveyed = 100;     // one document of a whole survey

/// Drift is worth settling from this part of the radius on, until this part of it is left.
constexpr double kDriftOfRadius = 0.5;
constexpr double kDriftLeft = 0.75;
/// Settling may cost as many times what bringing all means up to date costs.
constexpr std::int64_t kSettlingShare = 8;
/// A choice settles features of one document in so many of the pool at most. More of them take as long as a list of all.
constexpr std::int64_t kSettledOfPool = 10;
/// What drawing the shortlist counts for against the means, whose age is why it has to be drawn.
constexpr std::int64_t kDrawnForMeans = 2;
/// The shortlist is drawn again, and nothing joins it, where the scores of so many times as many candidates rose.
constexpr std::size_t kManyRaised = 8;
/// Candidates are chosen again where births have made them so many times as many.
constexpr std::size_t kTooMany = 2;

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

void SublinearScores::adopt(FeatureId feature, const RankOneChange& birth, const RidgeModel& model) {
  if (birth.rebuilt) refresh();
  if (widths_.stale) {
    survey_.postings().append(feature);
  } else {
    if (list_.stale) survey_.forget_raised();
    const std::size_t before = survey_.raised().size();
    survey_.follow_birth(feature, birth, model);
    if (!list_.stale) shortlist_.follow_birth(birth, model, survey_.raised().subspan(before), rows_);
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
  int draws = 0;
  bool fresh_candidates = false;
  bool fresh_means = false;
  std::int64_t may_settle = pool_.documents() / kSettledOfPool;
  for (;;) {
    if (widths_.due() || means_.due()) {
      renew_survey(score);
      fresh_means = true;
    }
    if (!std::isfinite(survey_.tolerance()) || !std::isfinite(survey_.reach(radius)))
      return best_of_all(model, score);
    if (list_.due() || survey_.raised().size() > kManyRaised * shortlist_.size()) {
      draw_shortlist(model, score);
      ++draws;
    } else {
      take_in_raised(model, score);
    }
    const Ranked best = best_listed(model, score);
    if (best.document != kNoDocument) best_score_ = best.score;
    const double reach = survey_.reach(radius);
    const auto beats = [&](const ScoreCeiling& ceiling) {
      const double most = ceiling.at_most(reach);
      return most == -std::numeric_limits<double>::infinity() || most < best.score - survey_.tolerance();
    };
    const bool beats_others = beats(survey_.ceiling());
    if (beats_others && beats(shortlist_.ceiling())) return best;
    // From the cheapest to the dearest of what may help.
    if (!fresh_means && settle(model, radius, may_settle)) continue;
    const bool adrift = !fresh_means && may_settle > 0 && survey_.drift() > kDriftOfRadius * radius;
    if (beats_others && draws < 2) {
      list_.stale = true;
      means_.spent += kDrawnForMeans * list_.cost;
    } else if (!fresh_candidates && !adrift) {
      list_again(score);
      fresh_candidates = true;
    } else if (!fresh_means) {
      means_.stale = true;
    } else if (widths_.spent != 0) {
      widths_.stale = true;
    } else {
      return best_of_all(model, score);
    }
  }
}

/// Relaxes the drift, and settles features until a good part of it is gone, or no documents are left for that. Returns whether
/// it did: not where there is little drift, or means are as cheap to bring up to date.
bool SublinearScores::settle(const RidgeModel& model, double radius, std::int64_t& documents_left) {
  if (documents_left <= 0 || !(survey_.drift() > kDriftOfRadius * radius)) return false;
  const auto features = static_cast<std::int64_t>(survey_.postings().size());
  const std::int64_t relaxing = kRelaxed * features * features;
  if (sizes_.relaxing_part * relaxing > kMeanRefreshed * pool_.documents()) return false;
  const double enough = kDriftLeft * survey_.drift();
  survey_.relax(model);
  means_.spent += relaxing;
  while (documents_left > 0 && survey_.drift() > enough) {
    const std::int64_t documents = survey_.settle(model);
    if (documents == 0) return false;
    means_.spent += relaxing + kSettled * documents;
    looked_at_ += documents;
    documents_left -= documents;
    if (means_.due()) return true;
  }
  return true;
}

std::size_t SublinearScores::wanted_candidates() const noexcept {
  return std::max(sizes_.fewest_candidates,
                  static_cast<std::size_t>(pool_.documents()) / sizes_.candidate_share);
}

void SublinearScores::renew_survey(const RestrictedScore& score) {
  const auto documents = static_cast<std::int64_t>(pool_.documents());
  const ListWish wish = {wanted_candidates(), best_score_};
  const std::int64_t refreshing = kMeanRefreshed * documents;
  if (widths_.due()) {
    survey_.take(score, wish);
    widths_.renew(kSurveyed * documents);
  } else {
    survey_.refresh_means(score, wish);
    widths_.spent += refreshing;
  }
  means_.renew(kSettlingShare * refreshing);
  candidates_listed();
}

void SublinearScores::list_again(const RestrictedScore& score) {
  survey_.list_again(score, {wanted_candidates(), best_score_});
  widths_.spent += kListedAgain * pool_.documents();
  candidates_listed();
}

void SublinearScores::candidates_listed() {
  listed_candidates_ = survey_.candidates().size();
  list_.stale = true;
  looked_at_ += pool_.documents();
}

void SublinearScores::draw_shortlist(const RidgeModel& model, const RestrictedScore& score) {
  if (survey_.candidates().size() > kTooMany * std::max(listed_candidates_, wanted_candidates()))
    list_again(score);
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(survey_.candidates().size())));
  const ListWish wish = {std::max(sizes_.shortest_list, sizes_.list_factor * root), best_score_};
  survey_.forget_raised();
  shortlist_.draw(score, survey_, wish, model.features(), rows_);
  const auto drawn = static_cast<std::int64_t>(shortlist_.size());
  list_.renew(2 * static_cast<std::int64_t>(survey_.candidates().size()) + kListed * drawn);
  looked_at_ += drawn;
}

void SublinearScores::take_in_raised(const RidgeModel& model, const RestrictedScore& score) {
  const std::span<const DocumentId> raised = survey_.raised();
  if (raised.empty()) return;
  const std::int64_t joined = shortlist_.take_in(raised, score, survey_, model.features(), rows_);
  list_.spent += static_cast<std::int64_t>(raised.size()) + kListed * joined;
  looked_at_ += joined;
  survey_.forget_raised();
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
