#include "bench/worlds/rated_pool.hpp"

#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

std::vector<double> draw_rewards(PoolView pool, const std::vector<FeatureId>& relevant,
                                 const RatingOptions& options) {
  RandomStream weights(options.seed, 0, RandomRole::target);
  std::vector<double> truth(static_cast<std::size_t>(pool.features()), 0.0);
  for (const FeatureId feature : relevant) truth[static_cast<std::size_t>(feature)] = weights.normal();
  RandomStream noise(options.seed, 0, RandomRole::reward);
  std::vector<double> rewards;
  rewards.reserve(static_cast<std::size_t>(pool.documents()));
  for (DocumentId i = 0; i < pool.documents(); ++i) {
    const double mean = options.reward_scale * dot(pool.by_document.row(i), truth);
    rewards.push_back(mean + options.noise * noise.normal());
  }
  return rewards;
}

}  // namespace

RatedPool rate_pool(PoolView pool, const RatingOptions& options) {
  std::vector<FeatureId> candidates = features_within(pool, options.frequency);
  if (static_cast<std::size_t>(options.relevant) > candidates.size()) {
    throw FormatError("the number of relevant features",
                      "expected at most " + std::to_string(candidates.size()) +
                          " (the features with a document frequency from " +
                          number_text(options.frequency.low) + " to " + number_text(options.frequency.high) +
                          "), got " + std::to_string(options.relevant));
  }
  RandomStream random(options.seed, 0, RandomRole::subset);
  return rate_pool(pool, draw_features(std::move(candidates), options.relevant, random), options);
}

RatedPool rate_pool(PoolView pool, std::vector<FeatureId> relevant, const RatingOptions& options) {
  std::vector<double> rewards = draw_rewards(pool, relevant, options);
  MarkModel marks(pool.features(), relevant, options.mark_probability);
  return {pool, std::move(relevant), std::move(rewards), std::move(marks)};
}

}  // namespace inkling::bench
