#include "engine/policy/persuaded_learner.hpp"

#include <utility>

namespace inkling {

PolicyOptions persuaded_by(const MarkBeliefs& beliefs, PolicyOptions options) {
  options.ridge = beliefs.first_precision();
  if (options.radius == RadiusKind::automatic) options.radius = RadiusKind::posterior;
  return options;
}

PersuadedLearner::PersuadedLearner(PoolView pool, const PolicyOptions& options)
    : PersuadedLearner(pool, options, MarkBeliefs(pool.features(), options.confidence, options.soft_marks)) {}

PersuadedLearner::PersuadedLearner(PoolView pool, const PolicyOptions& options, MarkBeliefs beliefs)
    : pool_(pool),
      options_(persuaded_by(beliefs, options)),
      beliefs_(std::move(beliefs)),
      scored_(pool, model_for(pool, options_)) {}

std::int32_t PersuadedLearner::features_in_use() const noexcept { return scored_.model().features_in_use(); }

bool PersuadedLearner::uses(FeatureId feature) const noexcept { return scored_.model().uses(feature); }

double PersuadedLearner::weight(FeatureId feature) const noexcept { return scored_.model().weight(feature); }

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

std::optional<double> PersuadedLearner::radius() const { return radius_of(scored_.model(), options_); }

DocumentId PersuadedLearner::choose(RandomStream& /*sampling*/) { return scored_.best(*radius()).document; }

}  // namespace inkling
