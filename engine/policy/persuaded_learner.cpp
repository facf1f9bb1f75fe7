#include "engine/policy/persuaded_learner.hpp"

#include <utility>

namespace inkling {

namespace {

/// Features start with the precision of one of which nothing is known, and the posterior's radius is used.
PolicyOptions persuaded_by(const MarkBeliefs& beliefs, PolicyOptions options) {
  options.ridge = beliefs.first_precision();
  if (options.radius == RadiusKind::automatic) options.radius = RadiusKind::posterior;
  return options;
}

}  // namespace

PersuadedLearner::PersuadedLearner(PoolView pool, const PolicyOptions& options)
    : PersuadedLearner(pool, options, MarkBeliefs(pool.features(), options.confidence, options.soft_marks)) {}

PersuadedLearner::PersuadedLearner(PoolView pool, const PolicyOptions& options, MarkBeliefs beliefs)
    : OptimisticLearner(pool, persuaded_by(beliefs, options)), pool_(pool), beliefs_(std::move(beliefs)) {}

void PersuadedLearner::listen(DocumentId document, std::span<const Mark> marks) {
  follow(beliefs_.listen(pool_.by_document.row(document), marks));
}

void PersuadedLearner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  for (const Lesson& lesson : lessons) {
    beliefs_.count(pool_.by_document.row(lesson.document), lesson.marks);
  }
  scored_.pause_scores();
  follow(beliefs_.changed_by_counting());
  for (const Lesson& lesson : lessons) {
    between();
    observe(lesson.document, lesson.reward);
  }
  refine();
  scored_.resume_scores();
}

void PersuadedLearner::follow(std::span<const FeatureId> changed) {
  for (const FeatureId feature : changed) scored_.reweigh(feature, beliefs_.precision(feature));
}

}  // namespace inkling
