#include "engine/policy/learner.hpp"

#include <stdexcept>

#include "engine/model/linear_model.hpp"

namespace inkling {

std::int32_t Learner::features_in_use() const noexcept { return model()->features_in_use(); }
bool Learner::uses(FeatureId feature) const noexcept { return model()->uses(feature); }
double Learner::weight(FeatureId feature) const noexcept { return model()->weight(feature); }

void Learner::start_with(std::span<const FeatureId> features) {
  for (const FeatureId feature : features) adopt(feature);
}

void Learner::learn(std::span<const Lesson> lessons, const std::function<void()>& between) {
  put_off(between);
  for (const Lesson& lesson : lessons) {
    between();
    learn_one(lesson);
  }
  refine();
}

void Learner::learn_one(const Lesson& lesson) {
  if (lesson.document != kNoDocument) observe(lesson.document, lesson.reward);
  for (const FeatureId feature : lesson.adopted)
    if (!uses(feature)) adopt(feature);
  if (lesson.document != kNoDocument) observe_marks(lesson.document, lesson.marks);
  if (!lesson.words.empty()) rate_words(lesson.words);
}

Ranked Learner::best_held(RandomStream& /*sampling*/) { throw std::logic_error("this learner compares no scores"); }

std::vector<Ranked> Learner::rank(RandomStream& /*sampling*/, std::size_t /*count*/, const Remains& /*remains*/) {
  throw std::logic_error("this learner ranks no documents");
}

}  // namespace inkling
