// Soft marks: optimism on all features, with a prior that marks and silence change.
#pragma once

#include <utility>
#include <vector>

#include "engine/policy/mark_beliefs.hpp"
#include "engine/policy/optimistic_learner.hpp"

namespace inkling {

/// Every feature is in use from the start, and a mark only makes it likelier to matter.
class SoftMarksLearner final : public OptimisticLearner {
 public:
  SoftMarksLearner(PoolView pool, const PolicyOptions& options)
      : SoftMarksLearner(pool, options, MarkBeliefs(pool.features(), options.confidence, options.soft_marks)) {}

  void observe_marks(DocumentId document, std::span<const SaidWord> marks) override {
    follow(beliefs_.observe_marks(pool_.row_of(document), marks));
  }

  /// A word that was rated above 0 is a mark in no document; any other rating says nothing.
  void rate_words(std::span<const SaidWord> ratings) override { follow(beliefs_.observe_marks({}, marks_of(ratings))); }

  /// Takes all marks before all rewards. The model is the same, because a precision does not depend on the order of
  /// what was seen, and changing a precision after rewards is far more work.
  void learn(std::span<const Lesson> lessons, const std::function<void()>& between) override {
    for (const Lesson& lesson : lessons) {
      if (lesson.document != kNoDocument) beliefs_.count(pool_.row_of(lesson.document), lesson.marks);
      if (!lesson.words.empty()) beliefs_.count({}, marks_of(lesson.words));
    }
    put_off(between);
    follow(beliefs_.changed_by_counting());
    for (const Lesson& lesson : lessons) {
      between();
      if (lesson.document != kNoDocument) observe(lesson.document, lesson.reward);
    }
    refine();
  }

 private:
  SoftMarksLearner(PoolView pool, const PolicyOptions& options, MarkBeliefs beliefs)
      : OptimisticLearner(pool, soft_options(beliefs, options)), beliefs_(std::move(beliefs)) {}

  /// Features start with the precision of an unknown one, and `automatic` is the posterior's radius.
  [[nodiscard]] static PolicyOptions soft_options(const MarkBeliefs& beliefs, PolicyOptions options) {
    options.ridge = beliefs.first_precision();
    if (options.radius == RadiusKind::automatic) options.radius = RadiusKind::posterior;
    return options;
  }

  void follow(std::span<const FeatureId> changed) {
    reweighed_.clear();
    for (const FeatureId feature : changed) reweighed_.push_back({feature, beliefs_.precision(feature)});
    scored_.reweigh(reweighed_);
  }

  MarkBeliefs beliefs_;
  std::vector<Reweighed> reweighed_;
};

}  // namespace inkling
