#include "bench/worlds/world.hpp"

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
                                " (the features of this pool that qualify), got " + std::to_string(count));
  }
  return draw_features(std::move(candidates), count, random);
}

/// One of the documents that hold a word.
SparseRow draw_document(PoolView pool, RandomStream& random) {
  if (std::ranges::all_of(pool.by_document.values(), [](float value) { return value == 0.0F; })) {
    throw FormatError("the truth of a document reward", "expected a document that holds a word, found none");
  }
  for (;;) {
    const std::uint64_t drawn = random.below(static_cast<std::uint64_t>(pool.documents()));
    const SparseRow row = pool.by_document.row(static_cast<DocumentId>(drawn));
    if (squared_norm(row) > 0.0) return row;
  }
}

Truth draw_document_truth(PoolView pool, double norm, RandomStream& random) {
  const SparseRow row = draw_document(pool, random);
  Truth truth{{row.features.begin(), row.features.end()},
              std::vector<double>(static_cast<std::size_t>(pool.features()), 0.0)};
  const double length = std::sqrt(squared_norm(row));
  for (std::size_t n = 0; n < row.size(); ++n) {
    truth.weights[static_cast<std::size_t>(row.features[n])] =
        norm * static_cast<double>(row.values[n]) / length;
  }
  return truth;
}

std::vector<FeatureId> words_that_matter(PoolView pool, const WorldOptions& options, RandomStream& random) {
  if (!options.given_words.empty()) return options.given_words;
  return draw_or_refuse(features_within(pool, options.relevant_frequency), options.relevant,
                        "the number of relevant features", random);
}

Truth draw_weighted_truth(PoolView pool, const WorldOptions& options, RandomStream& random) {
  Truth truth;
  truth.relevant = words_that_matter(pool, options, random);
  truth.weights = draw_truth(pool.features(), truth.relevant, options.norm_bound, random);
  return truth;
}

std::vector<FeatureId> words_of_topic(PoolView pool, const WorldOptions& options, std::int32_t topic) {
  if (!options.given_words.empty()) return options.given_words;
  std::vector<FeatureId> words =
      topic_words(pool, options.topics->of_documents, topic, options.relevant, options.relevant_frequency);
  if (words.size() < static_cast<std::size_t>(options.relevant)) {
    throw FormatError("the number of relevant features", "expected at most " + std::to_string(words.size()) +
                                                             " (the words that speak for the topic), got " +
                                                             std::to_string(options.relevant));
  }
  return words;
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

World make_topic_world(PoolView pool, const WorldOptions& options, RandomStream& random) {
  const auto drawn = random.below(static_cast<std::uint64_t>(options.topics->count));
  const std::int32_t topic = options.topics->wanted.value_or(static_cast<std::int32_t>(drawn));
  std::vector<FeatureId> relevant = words_of_topic(pool, options, topic);
  MarkModel marks = make_marks(pool, options, relevant, random);
  return {pool, RewardModel::topic(options.topics->of_documents, topic), std::move(marks),
          std::move(relevant), nullptr};
}

}  // namespace

World make_world(PoolView pool, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::target);
  if (options.reward == RewardKind::label && options.topics) {
    return make_topic_world(pool, options, random);
  }
  Truth truth = options.reward == RewardKind::document ? draw_document_truth(pool, options.norm_bound, random)
                                                       : draw_weighted_truth(pool, options, random);
  MarkModel marks = make_marks(pool, options, truth.relevant, random);
  RewardModel rewards = make_rewards(pool, options, truth.weights);
  if (options.reward == RewardKind::logistic || options.reward == RewardKind::label) truth.weights.clear();
  return {pool,    std::move(rewards),      std::move(marks), std::move(truth.relevant),
          nullptr, std::move(truth.weights)};
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
