#include "engine/scoring/live/sublinear_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/model/ridge_model.hpp"

namespace inkling {
namespace {

// Costs in units of one bound check: measured, and within a factor of two on any machine.
constexpr std::int64_t kScore = 30;         // one document by its restricted row
constexpr std::int64_t kListed = 60;        // one that joins the shortlist
constexpr std::int64_t kMeanRefreshed = 5;  // one document whose mean is brought up to date
constexpr std::int64_t kListedAgain = 2;    // one document of the pool, where the candidates are chosen again
constexpr std::int64_t kSettled = 4;        // one document that holds a feature that is settled
constexpr std::int64_t kRelaxed = 6;        // one entry of V, where the drift is relaxed
constexpr std::int64_t kSurveyed = 100;     // one document of a whole survey

/// Features are settled if the drift exceeds the first share of the radius, until the second share of the drift is left.
constexpr double kDriftOfRadius = 0.5;
constexpr double kDriftLeft = 0.75;
/// A choice settles features until one document in this many of the pool holds one of them. More would take as long as a new
/// list.
constexpr std::int64_t kSettledOfPool = 14;
/// A feature that more than one document in this many holds is settled while listing all documents.
constexpr std::int64_t kDense = 8;
/// While listing, features are settled until one document in this many of the pool holds one of them.
constexpr std::int64_t kSettledByListOfPool = 3;
/// Cost of updating one document's mean while listing, in units of one bound check.
constexpr std::int64_t kSettledByList = 1;
/// While listing, features are settled until the drift is this part of the radius.
constexpr double kDriftLeftByList = 0.25;
/// Widths are measured again when births may have widened them by this factor.
constexpr double kMostGrowth = 16.0;
/// The cost of extending the shortlist counts this many times towards the age of the means, because only old means make it
/// necessary. Measured, in an easy world and in a hard one.
constexpr std::int64_t kExtendedForMeans = 16;
/// The shortlist is drawn again if the scores of this many times its length of candidates rose.
constexpr std::size_t kManyRaised = 8;
/// Candidates are chosen again when births have multiplied them by this factor.
constexpr std::size_t kTooMany = 2;

}  // namespace

SublinearScores::SublinearScores(PoolView pool, CircleSizes sizes)
    : pool_(pool), sizes_(sizes), rows_(pool.by_document), survey_(pool.by_feature) {}

void SublinearScores::observe(DocumentId document, const RidgeModel& model, const RankOneChange& reward) {
  if (reward.rebuilt) return refresh();
  if (widths_.stale || reward.square_gain == 0.0) return;
  const std::span<const RelevantEntry> x = pool_.holds(document) ? rows_.row(document - pool_.first_document(), model.features())
                                                                 : row_elsewhere(document, model.features());
  survey_.follow_reward(x, reward);
  if (!list_.stale) shortlist_.follow_reward(x, reward);
}

std::span<const RelevantEntry> SublinearScores::row_elsewhere(DocumentId document, const RelevantFeatures& features) {
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
    survey_.follow_birth(feature, birth, model.factor());
    if (!list_.stale) shortlist_.follow_birth(birth, model.factor(), model.features(), survey_.raised().subspan(before), rows_);
    looked_at_ += static_cast<std::int64_t>(pool_.by_feature.row(feature).size());
  }
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
  const RestrictedScore score(model.theta(), model.kept_inverse(), model.ridge(), radius);
  bool is_extended = false;
  bool fresh_candidates = false;
  bool fresh_means = false;
  std::int64_t may_settle = pool_.documents() / kSettledOfPool;
  if (!widths_.stale) renew_part(model, score);
  for (;;) {
    if (widths_.stale || survey_.growth() > kMostGrowth) {
      take_survey(score);
      fresh_means = true;
    }
    if (!std::isfinite(survey_.tolerance()) || !std::isfinite(survey_.reach(radius))) return best_of_all(model, score);
    if (list_.due() || !best_score_ || survey_.raised().size() > kManyRaised * shortlist_.size())
      draw_shortlist(model, score);
    else if (list_is_behind_)
      extend_shortlist(*best_score_, model, score);
    else
      take_in_raised(model, score);
    const Ranked best = best_listed(model, score);
    if (best.document != kNoDocument) best_score_ = best.score;
    const double reach = survey_.reach(radius);
    const auto beats = [&](const ScoreCeiling& ceiling) {
      const double most = ceiling.at_most(reach);
      return most == -std::numeric_limits<double>::infinity() || most < best.score - survey_.tolerance();
    };
    const bool beats_others = beats(survey_.ceiling());
    if (beats_others && beats(shortlist_.ceiling())) return best;
    // The remedies, from the cheapest to the most expensive.
    if (!fresh_means && settle(model, radius, may_settle)) continue;
    const bool adrift = !fresh_means && is_adrift(radius);
    // The drift that is left may come from features of many documents, which are settled together with a new list.
    const bool dense = adrift && settling_pays() && !fresh_candidates && may_settle > 0;
    if (beats_others && !is_extended && !dense) {
      list_is_behind_ = true;
      is_extended = true;
    } else if (!fresh_candidates && (!adrift || settling_pays())) {
      settle_and_list(model, score);
      fresh_candidates = true;
    } else if (!fresh_means) {
      refresh_means(score);
      fresh_means = true;
    } else if (widths_.spent != 0) {
      widths_.stale = true;
    } else {
      return best_of_all(model, score);
    }
  }
}

/// Whether the drift is so large that a smaller one would help.
bool SublinearScores::is_adrift(double radius) const noexcept { return survey_.drift() > kDriftOfRadius * radius; }

/// Whether settling is cheaper than bringing all means up to date.
bool SublinearScores::settling_pays() const noexcept {
  const auto features = static_cast<std::int64_t>(survey_.features());
  return sizes_.relaxing_part * kRelaxed * features * features <= kMeanRefreshed * pool_.documents();
}

/// Relaxes the drift, and settles features until a good part of it is gone or `documents_left` is used up. Returns
/// whether it settled anything.
bool SublinearScores::settle(const RidgeModel& model, double radius, std::int64_t& documents_left) {
  if (documents_left <= 0 || !is_adrift(radius) || !settling_pays()) return false;
  const auto features = static_cast<std::int64_t>(survey_.features());
  const std::int64_t relaxing = kRelaxed * features * features;
  const double enough = kDriftLeft * survey_.drift();
  survey_.relax(model);
  means_.spent += relaxing;
  while (documents_left > 0 && survey_.drift() > enough) {
    const std::int64_t documents = survey_.settle(model, std::max(documents_left, pool_.documents() / kDense));
    if (documents == 0) return false;
    means_.spent += relaxing + kSettled * documents;
    looked_at_ += documents;
    documents_left -= documents;
  }
  return true;
}

std::size_t SublinearScores::wanted_candidates() const noexcept {
  return std::max(sizes_.fewest_candidates, static_cast<std::size_t>(pool_.documents()) / sizes_.candidate_share);
}

void SublinearScores::take_survey(const RestrictedScore& score) {
  survey_.take(score, {wanted_candidates(), best_score_});
  widths_are_fresh();
  means_are_fresh();
  candidates_listed();
}

void SublinearScores::refresh_means(const RestrictedScore& score) {
  survey_.refresh_means(score, {wanted_candidates(), best_score_});
  widths_.spent += kMeanRefreshed * pool_.documents();
  means_are_fresh();
  candidates_listed();
}

/// If means or widths are due, brings a few blocks up to date, or all if there are few blocks. After the last block it
/// lists again.
void SublinearScores::renew_part(const RidgeModel& model, const RestrictedScore& score) {
  if (!survey_.renewing()) {
    if (!widths_.due() && !means_.due()) return;
    if (survey_.blocks() <= sizes_.renewed_blocks) return widths_.due() ? take_survey(score) : refresh_means(score);
    survey_.begin_renewal(widths_.due() ? ScoreSurvey::Renewed::means_and_widths : ScoreSurvey::Renewed::means);
  }
  const bool renews_widths = survey_.renewing() == ScoreSurvey::Renewed::means_and_widths;
  looked_at_ += survey_.renew_blocks(score, sizes_.renewed_blocks);
  if (survey_.renewing()) return;
  if (renews_widths)
    widths_are_fresh();
  else
    widths_.spent += kMeanRefreshed * pool_.documents();
  means_are_fresh();
  settle_and_list(model, score);
}

void SublinearScores::means_are_fresh() noexcept { means_.renew(sizes_.means_age * kMeanRefreshed * pool_.documents()); }

void SublinearScores::widths_are_fresh() noexcept { widths_.renew(sizes_.widths_age * kSurveyed * pool_.documents()); }

void SublinearScores::settle_and_list(const RidgeModel& model, const RestrictedScore& score) {
  const double radius = score.radius();
  const bool settles = is_adrift(radius) && settling_pays();
  if (settles) survey_.relax(model);
  const std::int64_t settled =
      survey_.settle_and_list(model, score, {wanted_candidates(), best_score_}, kDriftLeftByList * radius,
                              settles ? pool_.documents() / kSettledByListOfPool : 0);
  means_.spent += kSettledByList * settled;
  widths_.spent += kListedAgain * pool_.documents();
  looked_at_ += settled;
  candidates_listed();
}

void SublinearScores::candidates_listed() {
  if (!list_.stale) survey_.add_candidates(shortlist_.documents());
  listed_candidates_ = survey_.candidates().size();
  list_is_behind_ = true;
  looked_at_ += pool_.documents();
}

void SublinearScores::draw_shortlist(const RidgeModel& model, const RestrictedScore& score) {
  if (survey_.candidates().size() > kTooMany * std::max(listed_candidates_, wanted_candidates())) settle_and_list(model, score);
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(survey_.candidates().size())));
  const ListGoal goal = {std::max(sizes_.shortest_list, sizes_.list_factor * root), best_score_};
  survey_.forget_raised();
  list_is_behind_ = false;
  shortlist_.draw(score, survey_, goal, model.features(), rows_);
  const auto drawn = static_cast<std::int64_t>(shortlist_.size());
  list_.renew(2 * static_cast<std::int64_t>(survey_.candidates().size()) + kListed * drawn);
  looked_at_ += drawn;
}

void SublinearScores::extend_shortlist(double best, const RidgeModel& model, const RestrictedScore& score) {
  survey_.forget_raised();
  list_is_behind_ = false;
  const std::int64_t joined = shortlist_.extend(best, score, survey_, model.features(), rows_);
  list_.cost += kListed * joined;
  means_.spent += kExtendedForMeans * (static_cast<std::int64_t>(survey_.candidates().size()) + kListed * joined);
  looked_at_ += joined;
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
  for (DocumentId i = 0; i < pool_.documents(); ++i)
    if (!survey_.retired(i)) keep_first(best, {i, score.score(rows_.row(i, model.features()))});
  looked_at_ += pool_.documents();
  return best;
}

DocumentId SublinearScores::first_bare() noexcept {
  while (first_bare_ < pool_.documents() && !survey_.bare(first_bare_)) ++first_bare_;
  return first_bare_ < pool_.documents() ? first_bare_ : kNoDocument;
}

}  // namespace inkling
