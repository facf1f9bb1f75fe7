#include "engine/policy/graded_learner.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "engine/model/linear_model.hpp"
#include "engine/model/observation.hpp"
#include "engine/policy/learner_model.hpp"
#include "engine/scoring/live/fresh_ranking.hpp"

namespace inkling {
namespace {

constexpr float kWordValue = 1.0F;
/// A search that found this many good documents needs no more random ones (`explores_anyway`).
constexpr std::int64_t kFindsOfGoing = 2;
/// After a run of this many bad documents, one is drawn at random for the first time.
constexpr std::int64_t kFirstLongRun = 8;
/// The least weight of a bad grade, however few good ones there are.
constexpr double kLeastWeight = 0.05;
constexpr double kFarWeight = 1.25;
/// How a word is learned.
constexpr std::int32_t kAsRow = 0;
constexpr std::int32_t kAsBelief = 1;

PoolView learned_from(PoolView pool, const InklingOptions& options) {
  if (options.vectors == 0.0) pool.by_document = pool.by_document.with({});
  return pool;
}

}  // namespace

bool GradeScale::widen(double grade) noexcept {
  lowest_ = std::min(lowest_, grade);
  highest_ = std::max(highest_, grade);
  const double high = lowest_ < 0.0 ? std::max(highest_, -lowest_) : std::max(highest_, 1.0);
  const double low = lowest_ < 0.0 ? -high : 0.0;
  const bool is_other = low != low_ || high != high_;
  low_ = low;
  high_ = high;
  return is_other;
}

GradeBalance GradeBalance::of(std::int64_t good, std::int64_t bad, const InklingOptions& options) {
  double less = 1.0;
  if (good > 0 && bad > 0)
    less = std::clamp(options.balance * static_cast<double>(good) / static_cast<double>(bad), kLeastWeight, 1.0);
  return {.good = 1.0 / less, .bad = less, .average = options.presumed_share * less * static_cast<double>(good + bad)};
}

bool GradeBalance::is_far_from(const GradeBalance& other) const noexcept {
  const auto is_far = [](double one, double two) { return one > kFarWeight * two || two > kFarWeight * one; };
  return is_far(good, other.good) || is_far(bad, other.bad) || is_far(average, other.average);
}

GradedLearner::GradedLearner(PoolView pool, const PolicyOptions& options)
    : pool_(learned_from(pool, options.inkling)),
      options_(options.inkling),
      survey_(options_.survey ? options_.survey : std::make_shared<const PoolSurvey>(pool, options.left_out, options_.average)),
      scored_(graded_model_for(pool_, options)),
      held_(pool) {}

std::int32_t GradedLearner::features_in_use() const noexcept { return scored_.model().features_in_use() - dimensions(); }

void GradedLearner::start_with(std::span<const FeatureId> features) {
  if (dimensions() == 0) return scored_.start_with(features);
  std::vector<FeatureId> all(features.begin(), features.end());
  std::vector<Reweighed> numbers;
  for (FeatureId number = pool_.features(); number < pool_.features() + dimensions(); ++number) {
    all.push_back(number);
    numbers.push_back({number, options_.ridge / options_.vectors});
  }
  scored_.start_with(all);
  scored_.reweigh(numbers);  // the first coordinates of the model, as `BoundedScores` requires
}

SparseRow GradedLearner::whole_row(DocumentId document) {
  if (!pool_.holds(document)) return pool_.row_of(document);
  return whole_.of(pool_.by_document, document - pool_.first_document(), scored_.model().columns());
}

void GradedLearner::learn_row(const Observation& observation) {
  const std::int64_t rebuilds = scored_.rebuilds();
  scored_.observe(observation);
  if (!bounded_) return;
  if (scored_.rebuilds() == rebuilds)
    bounded_->follow_observation();
  else
    bounded_->follow_change();
}

void GradedLearner::observe(DocumentId document, double reward) {
  if (scale_.widen(reward)) recount_grades();
  const double target = scale_.target(reward);
  count_grade(target);
  grades_.push_back({document, reward});
  learn_row({.key = document, .row = whole_row(document), .reward = target, .base = options_.base, .weight = weight_of(target)});
  balance_grades();
}

void GradedLearner::count_grade(double target) noexcept {
  const bool is_good = target > 0.0;
  if (is_good && !grades_.empty()) ++finds_;
  if (is_good) ++good_;
  bad_run_ = is_good ? 0 : bad_run_ + 1;
}

/// Weights change only when one of them is far from what it should be, because changing all of them costs as much as
/// many grades.
void GradedLearner::balance_grades() {
  const GradeBalance due = GradeBalance::of(good_, std::ssize(grades_) - good_, options_);
  if (has_presumed_ && !due.is_far_from(balance_)) return;
  balance_ = due;
  if (!has_presumed_ && due.average > 0.0) {
    learn_row({.key = key_of(pool_.features()),
               .row = survey_->average().row(),
               .reward = -1.0,
               .base = options_.base,
               .weight = due.average});
  }
  has_presumed_ = true;
  recount_grades();
}

/// Recounts every grade by the current scale and balance.
void GradedLearner::recount_grades() {
  if (grades_.empty()) return;
  good_ = 0;
  std::map<DocumentId, Recount> documents;
  for (const Grade& one : grades_) {
    const double target = scale_.target(one.grade);
    const double weight = weight_of(target);
    if (target > 0.0) ++good_;
    Recount& row = documents.try_emplace(one.document, Recount{.key = one.document, .weight = 0.0}).first->second;
    row.weight += weight;
    row.reward_sum += weight * target;
    row.reward_squares += weight * target * target;
  }
  std::vector<Recount> rows;
  rows.reserve(documents.size() + 1);
  for (const auto& [document, row] : documents) rows.push_back(row);
  if (has_presumed_ && balance_.average > 0.0)
    rows.push_back({.key = key_of(pool_.features()),
                    .weight = balance_.average,
                    .reward_sum = -balance_.average,
                    .reward_squares = balance_.average});
  scored_.recount(rows);
  if (bounded_) bounded_->follow_change();
}

bool GradedLearner::explores_anyway() const noexcept {
  if (grades_.empty() && words_.empty()) return true;
  return finds_ < kFindsOfGoing && bad_run_ >= kFirstLongRun && bad_run_ % 2 == 0;
}

/// From 0 to 1, how much more of a word is in this document than in the average one; 1 for a word that it does not hold.
double GradedLearner::telling(FeatureId feature, SparseRow document) const {
  constexpr double common = 5.0;
  const auto size_in = [&](SparseRow row) { return std::fabs(static_cast<double>(value_at(row, feature))); };
  const double here = size_in(document);
  return here > 0.0 ? std::max(0.0, 1.0 - common * size_in(survey_->average().row()) / here) : 1.0;
}

double GradedLearner::learn_phrases(DocumentId document, std::span<const SaidWord> marks) {
  if (parts_.contains(document)) {
    scored_.forget_observations(key_of_part(document));
    if (bounded_) bounded_->follow_change();
    parts_.erase(document);
  }
  std::map<FeatureId, double> confidence;  // of each word once
  for (const SaidWord& mark : marks) confidence.emplace(mark.feature, mark.confidence);
  const double apart = share_of(confidence.size());
  const double together = 1.0 - apart * apart;
  if (together == 0.0) return 0.0;
  const SparseRow row = pool_.row_of(document);
  MarkedPart part;
  std::vector<double> values;
  double squares = 0.0;
  double surest = 0.0;
  for (const auto& [feature, sure] : confidence) {
    const double value = sure * static_cast<double>(value_at(row, feature));
    if (value == 0.0) continue;
    part.features.push_back(feature);
    values.push_back(value);
    squares += value * value;
    surest = std::max(surest, sure);
  }
  if (values.empty()) return together;
  for (const double value : values) part.values.push_back(static_cast<float>(value / std::sqrt(squares)));
  const MarkedPart& kept = parts_.emplace(document, std::move(part)).first->second;
  learn_row({.key = key_of_part(document),
             .row = {kept.features, kept.values},
             .reward = 1.0,
             .base = 0.0,
             .weight = together * surest});
  return together;
}

void GradedLearner::observe_marks(DocumentId document, std::span<const SaidWord> marks) {
  if (bad_run_ > 0 || marks.empty()) return;  // the document was not above the middle
  const double together = learn_phrases(document, marks);
  std::vector<SaidWord> fresh;  // each word once
  for (const SaidWord& mark : marks) {
    const bool is_named = std::ranges::find(fresh, mark.feature, &SaidWord::feature) != fresh.end();
    if (!is_named && !said_.contains(mark.feature)) fresh.push_back(mark);
  }
  const SparseRow row = pool_.row_of(document);
  for (const SaidWord& mark : fresh) {
    const double tells = together > 0.0 ? 1.0 - together * (1.0 - telling(mark.feature, row)) : 1.0;
    learn_word(mark.feature, 1.0, mark.confidence * share_of(fresh.size()) * tells);
  }
  learn_beliefs();
}

void GradedLearner::rate_words(std::span<const SaidWord> ratings) {
  for (const SaidWord& rating : ratings) {
    unlearn_word(rating.feature);
    held_.rate(rating.feature, *rating.reward);
    learn_word(rating.feature, std::clamp(*rating.reward, -1.0, 1.0), options_.rated_word * rating.confidence);
  }
  learn_beliefs();
}

void GradedLearner::learn_word(FeatureId feature, double target, double weight) {
  words_.push_back(feature);
  weight = std::max(weight, kSmallestWeight);
  if (word_rows_ >= kMostWordRows && scored_.dual() != nullptr) {
    said_.set(feature, kAsBelief);
    beliefs_.push_back({feature, target, weight});
    return;
  }
  said_.set(feature, kAsRow);
  ++word_rows_;
  learn_row(
      {.key = key_of(feature), .row = {{&words_.back(), 1}, {&kWordValue, 1}}, .reward = target, .base = 0.0, .weight = weight});
}

void GradedLearner::learn_beliefs() {
  if (beliefs_.empty()) return;
  scored_.believe(beliefs_);
  beliefs_.clear();
  if (bounded_) bounded_->follow_change();
}

void GradedLearner::unlearn_word(FeatureId feature) {
  const std::int32_t learned = said_.erase(feature);
  if (learned == IdMap<FeatureId>::kNone) return;
  learn_beliefs();  // of which this may be one
  if (learned == kAsBelief) {
    scored_.forget_belief(feature);
  } else {
    scored_.forget_observations(key_of(feature));
    --word_rows_;
  }
  if (bounded_) bounded_->follow_change();
}

void GradedLearner::refine() {
  scored_.refine();
  if (bounded_) bounded_->follow_change();
}

void GradedLearner::retire(DocumentId document) {
  retired_.set(document, 0);
  scored_.retire(document);
}

BoundedScores& GradedLearner::bounded() {
  if (!bounded_) bounded_.emplace(pool_, survey_.get());
  if (has_presumed_ && balance_.average > 0.0) bounded_->presume_average();
  return *bounded_;
}

DocumentId GradedLearner::choose(RandomStream& sampling) {
  if (scored_.dual() == nullptr && !counts_words()) return scored_.best(0.0).document;
  return best_held(sampling).document;
}

Ranked GradedLearner::best_held(RandomStream& /*sampling*/) {
  if (scored_.dual() == nullptr && !counts_words()) return scored_.best_with_score(0.0);
  const std::vector<Ranked> best = best_of(1, [&](DocumentId document) { return !retired_.contains(document); });
  return best.empty() ? Ranked{} : best.front();
}

std::vector<Ranked> GradedLearner::rank(RandomStream& /*sampling*/, std::size_t count, const Remains& remains) {
  std::vector<Ranked> best = best_of(count, remains);
  if (!keeps_scores_) drop_kept();
  return best;
}

std::vector<Ranked> GradedLearner::best_of(std::size_t count, const Remains& remains) {
  const auto by_mean = [&](std::size_t most, const Remains& of) {
    const DualRidgeModel* const dual = scored_.dual();
    return dual == nullptr ? fresh_ranking(scored_.model(), pool_, 0.0, most, of) : bounded().best(*dual, 0.0, most, of);
  };
  return counts_words() ? held_.rank(count, remains, by_mean) : by_mean(count, remains);
}

void GradedLearner::drop_kept() {
  if (bounded_) bounded_->release();
  held_.release();
}

void GradedLearner::keep_scores(bool keep) {
  keeps_scores_ = keep;
  if (keep) return;
  scored_.drop_scores();
  drop_kept();
}

}  // namespace inkling
