// A model in the middle of its work: all relevant features of an example pool found, some documents rated.
#pragma once

#include "bench/speed/micro/example_pool.hpp"
#include "engine/core/random_stream.hpp"
#include "engine/model/ridge_model.hpp"

namespace inkling::bench {

/// A document of the pool, each equally likely.
[[nodiscard]] DocumentId any_document(const ExamplePool& pool, RandomStream& random);

/// Lets a model or a learner (anything with observe and adopt) learn 1,000 rewards and every relevant
/// feature.
template <typename Model>
void train(Model& model, const ExamplePool& pool, RandomStream& random) {
  constexpr int rewards = 1000;
  for (int n = 0; n < rewards; ++n) model.observe(any_document(pool, random), random.normal());
  for (const FeatureId feature : pool.relevant) model.adopt(feature);
}

}  // namespace inkling::bench
