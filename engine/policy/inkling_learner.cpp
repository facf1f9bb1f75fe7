#include "engine/policy/inkling_learner.hpp"

#include "engine/model/observation.hpp"
#include "engine/policy/graded_learner.hpp"
#include "engine/policy/measured_learner.hpp"

namespace inkling {

InklingLearner::InklingLearner(PoolView pool, const PolicyOptions& options)
    : pool_(pool), options_(options), current_(empty_learner()) {}

std::unique_ptr<Learner> InklingLearner::empty_learner() const {
  if (measured_) return std::make_unique<MeasuredLearner>(pool_, options_);
  return std::make_unique<GradedLearner>(pool_, options_);
}

void InklingLearner::start_with(std::span<const FeatureId> features) {
  first_.assign(features.begin(), features.end());
  current_->start_with(features);
}

bool InklingLearner::count_reward(double reward) {
  ++rewards_;
  values_.insert(reward);
  const bool measured = are_measurements(rewards_, static_cast<std::int64_t>(values_.size()));
  if (measured == measured_) return false;
  measured_ = measured;
  return true;
}

void InklingLearner::adopt(FeatureId feature) {
  calls_.push_back({.kind = Call::Kind::adopt, .id = feature});
  current_->adopt(feature);
}

void InklingLearner::observe(DocumentId document, double reward) {
  check_reward(document, reward);
  calls_.push_back({.kind = Call::Kind::observe, .id = document, .reward = reward});
  if (count_reward(reward)) return start_over();
  current_->observe(document, reward);
}

void InklingLearner::observe_marks(DocumentId document, std::span<const SaidWord> marks) {
  remember(document, marks);
  current_->observe_marks(document, marks);
}

void InklingLearner::rate_words(std::span<const SaidWord> ratings) {
  remember(ratings);
  current_->rate_words(ratings);
}

void InklingLearner::remember(DocumentId document, std::span<const SaidWord> marks) {
  calls_.push_back({.kind = Call::Kind::observe_marks, .id = document, .begin = marks_.size(), .count = marks.size()});
  marks_.insert(marks_.end(), marks.begin(), marks.end());
}

void InklingLearner::remember(std::span<const SaidWord> ratings) {
  calls_.push_back({.kind = Call::Kind::rate_words, .begin = ratings_.size(), .count = ratings.size()});
  ratings_.insert(ratings_.end(), ratings.begin(), ratings.end());
}

void InklingLearner::repeat(const Call& call) {
  switch (call.kind) {
    case Call::Kind::adopt: return current_->adopt(call.id);
    case Call::Kind::observe: return current_->observe(call.id, call.reward);
    case Call::Kind::observe_marks: return current_->observe_marks(call.id, std::span(marks_).subspan(call.begin, call.count));
    case Call::Kind::rate_words: return current_->rate_words(std::span(ratings_).subspan(call.begin, call.count));
  }
}

void InklingLearner::repeat_from(std::size_t call, const std::function<void()>& between) {
  for (; call < calls_.size(); ++call) {
    if (calls_[call].kind == Call::Kind::observe) between();
    repeat(calls_[call]);
  }
}

/// Makes an empty learner of the kind that suits the rewards.
void InklingLearner::begin_again() {
  current_ = empty_learner();
  if (!first_.empty()) current_->start_with(first_);
  for (const DocumentId document : retired_) current_->retire(document);
}

/// Repeats every recorded call to a new learner.
void InklingLearner::start_over() {
  begin_again();
  repeat_from(0, [] {});
  current_->keep_scores(keeps_scores_);
}

/// Records all lessons first, because all rewards together decide which learner learns them.
void InklingLearner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  const std::size_t known = calls_.size();
  const bool was_measured = measured_;
  for (const Lesson& lesson : lessons) {
    if (lesson.document != kNoDocument) {
      calls_.push_back({.kind = Call::Kind::observe, .id = lesson.document, .reward = lesson.reward});
      static_cast<void>(count_reward(lesson.reward));
      remember(lesson.document, lesson.marks);
    }
    if (!lesson.words.empty()) remember(lesson.words);
  }
  const bool is_other = measured_ != was_measured;
  if (is_other) begin_again();
  current_->keep_scores(false);
  current_->put_off(between);
  repeat_from(is_other ? 0 : known, between);
  current_->keep_scores(keeps_scores_);
  refine();
}

void InklingLearner::retire(DocumentId document) {
  retired_.push_back(document);
  current_->retire(document);
}

void InklingLearner::keep_scores(bool keep) {
  keeps_scores_ = keep;
  current_->keep_scores(keep);
}

}  // namespace inkling
