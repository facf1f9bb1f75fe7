// A model in the middle of its work: all relevant features of a pool found, some documents rated.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/random_stream.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/sparse/pool_matrix.hpp"

namespace inkling::bench {

/// A text-like pool with 100 relevant features, each in 1 to 30 % of the documents.
struct ExamplePool {
  PoolMatrix matrix;
  std::vector<FeatureId> relevant;

  /// Lifetime: lends the pool.
  [[nodiscard]] PoolView view() const& noexcept { return matrix.view(); }
  PoolView view() const&& = delete;
};

/// The same pool for the same number of documents; made once, then kept for the life of the program.
[[nodiscard]] const ExamplePool& example_pool(std::int32_t documents);

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
