#include "bench/simulation/world.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"

namespace inkling::bench {
namespace {

struct Truth {
  std::vector<FeatureId> relevant;
  std::vector<double> weights;  // by feature
};

std::vector<FeatureId> draw_or_refuse(std::vector<FeatureId> candidates, std::int32_t count,
                                      const std::string& what, RandomStream& random) {
  if (static_cast<std::size_t>(count) > candidates.size()) {
    throw FormatError(what, "expected at most " + std::to_string(candidates.size()) +
                                " (so many features of this pool qualify), got " + std::to_string(count));
  }
  return draw_features(std::move(candidates), count, random);
}

Truth draw_document_truth(PoolView pool, double norm, RandomStream& random) {
  const auto rows = static_cast<std::uint64_t>(pool.documents());
  const SparseRow row = pool.by_document.row(static_cast<DocumentId>(random.below(rows)));
  Truth truth{{row.features.begin(), row.features.end()},
              std::vector<double>(static_cast<std::size_t>(pool.features()), 0.0)};
  const double length = std::sqrt(squared_norm(row));
  for (std::size_t n = 0; n < row.size(); ++n) {
    truth.weights[static_cast<std::size_t>(row.features[n])] =
        norm * static_cast<double>(row.values[n]) / length;
  }
  return truth;
}

Truth draw_world_truth(PoolView pool, const WorldOptions& options, RandomStream& random) {
  if (options.reward == RewardKind::document) return draw_document_truth(pool, options.norm_bound, random);
  Truth truth;
  truth.relevant = draw_or_refuse(features_within(pool, options.relevant_frequency), options.relevant,
                                  "the number of relevant features", random);
  truth.weights = draw_truth(pool.features(), truth.relevant, options.norm_bound, random);
  return truth;
}

RewardModel make_rewards(PoolView pool, const WorldOptions& options, const std::vector<double>& weights) {
  switch (options.reward) {
    case RewardKind::logistic:
      return RewardModel::logistic(pool.by_document, weights);
    case RewardKind::label:
      return RewardModel::label(pool.by_document, weights, options.topic_share);
    case RewardKind::linear:
    case RewardKind::document:
      break;
  }
  return RewardModel::linear(pool.by_document, weights, options.noise);
}

MarkModel make_marks(PoolView pool, const WorldOptions& options, const std::vector<FeatureId>& relevant,
                     RandomStream& random) {
  if (options.feedback == FeedbackKind::none) return MarkModel(pool.features());
  std::vector<FeatureId> markable = relevant;
  if (options.feedback == FeedbackKind::noisy) {
    std::vector<FeatureId> others;
    std::ranges::set_difference(features_within(pool, {}), relevant, std::back_inserter(others));
    const std::vector<FeatureId> irrelevant =
        draw_or_refuse(std::move(others), options.irrelevant_marks, "the number of irrelevant marks", random);
    markable.clear();
    std::ranges::merge(relevant, irrelevant, std::back_inserter(markable));
  }
  return {pool.features(), std::move(markable), options.mark_probability};
}

}  // namespace

World make_world(PoolView pool, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::target);
  Truth truth = draw_world_truth(pool, options, random);
  MarkModel marks = make_marks(pool, options, truth.relevant, random);
  return {pool, make_rewards(pool, options, truth.weights), std::move(marks), std::move(truth.relevant),
          nullptr};
}

World make_synthetic_world(const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::pool);
  auto pool = std::make_shared<const PoolMatrix>(synthetic_documents(options.pool, random));
  World world = make_world(pool->view(), options, seed, trial);
  world.pool_owner = std::move(pool);
  return world;
}

std::int64_t rounds_to_find_all(const World& world, std::int64_t most) {
  // The chance that feature j is still unmarked after T0 random plays is (1 - p df_j / N)^T0; their sum
  // bounds the chance that any is.
  std::vector<double> log_misses;
  for (const FeatureId feature : world.relevant) {
    const double share =
        static_cast<double>(world.pool.by_feature.row(feature).size()) / world.pool.documents();
    const double chance = world.marks.probability() * share;
    if (chance <= 0.0) return most;
    log_misses.push_back(chance >= 1.0 ? -700.0 : natural_log_plus_one(-chance));
  }
  const auto still_unmarked = [&](std::int64_t rounds) {
    double sum = 0.0;
    for (const double log_miss : log_misses) sum += exponential(static_cast<double>(rounds) * log_miss);
    return sum;
  };
  std::int64_t low = 0;
  std::int64_t high = most;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (still_unmarked(middle) <= 0.05) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace inkling::bench
