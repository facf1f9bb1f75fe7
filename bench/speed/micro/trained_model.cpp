#include "bench/speed/micro/trained_model.hpp"

#include <map>
#include <utility>

#include "bench/worlds/synthetic_pool.hpp"
#include "bench/worlds/zipf_pool.hpp"

namespace inkling::bench {
namespace {

ExamplePool make_example_pool(std::int32_t documents) {
  constexpr std::int32_t relevant = 100;
  PoolMatrix pool = make_zipf_pool({.documents = documents});
  RandomStream random(1, static_cast<std::uint64_t>(documents), RandomRole::subset);
  std::vector<FeatureId> features =
      draw_features(features_within(pool.view(), {0.01, 0.3}), relevant, random);
  return {std::move(pool), std::move(features)};
}

}  // namespace

const ExamplePool& example_pool(std::int32_t documents) {
  static std::map<std::int32_t, ExamplePool> pools;
  const auto known = pools.find(documents);
  if (known != pools.end()) return known->second;
  return pools.emplace(documents, make_example_pool(documents)).first->second;
}

DocumentId any_document(const ExamplePool& pool, RandomStream& random) {
  return static_cast<DocumentId>(random.below(static_cast<std::uint64_t>(pool.view().documents())));
}

}  // namespace inkling::bench
