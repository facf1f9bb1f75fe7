#include "io/search/simulation/world.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/core/portable_math.hpp"
#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

struct Truth {
  std::vector<FeatureId> relevant;
  std::vector<double> weights;  // by feature
};

std::vector<FeatureId> draw_or_refuse(std::vector<FeatureId> candidates, std::int32_t count, std::string_view what,
                                      RandomStream& random) {
  require_features(what, "the features of this pool that qualify", candidates.size(), count);
  return draw_features(std::move(candidates), count, random);
}

/// One of the documents that hold a word.
SparseRow draw_document(PoolView pool, RandomStream& random) {
  if (std::ranges::all_of(pool.by_document.values(), [](float value) { return value == 0.0F; }))
    throw FormatError("the truth of a document reward", "expected a document that holds a word, found none");
  for (;;) {
    const std::uint64_t drawn = random.below(static_cast<std::uint64_t>(pool.documents()));
    const SparseRow row = pool.by_document.row(static_cast<DocumentId>(drawn));
    if (squared_norm(row) > 0.0) return row;
  }
}

Truth draw_document_truth(PoolView pool, double norm, RandomStream& random) {
  const SparseRow row = draw_document(pool, random);
  Truth truth{{row.features.begin(), row.features.end()}, std::vector<double>(static_cast<std::size_t>(pool.features()), 0.0)};
  const double length = std::sqrt(squared_norm(row));
  for (std::size_t n = 0; n < row.size(); ++n)
    truth.weights[static_cast<std::size_t>(row.features[n])] = norm * static_cast<double>(row.values[n]) / length;
  return truth;
}

Truth draw_weighted_truth(PoolView pool, const WorldOptions& options, RandomStream& random) {
  Truth truth{.relevant = options.given_words, .weights = {}};
  if (truth.relevant.empty()) {
    truth.relevant = draw_or_refuse(features_within(pool, options.relevant_frequency), options.relevant,
                                    "the number of relevant features", random);
  }
  truth.weights = draw_truth(pool.features(), truth.relevant, options.norm_bound, random);
  return truth;
}

std::vector<FeatureId> words_of_topic(PoolView pool, const WorldOptions& options, std::int32_t topic) {
  if (!options.given_words.empty()) return options.given_words;
  std::vector<FeatureId> words =
      topic_words(pool, options.topics->of_documents, topic, options.relevant, options.relevant_frequency);
  require_features("the number of relevant features", "the words that speak for the topic", words.size(), options.relevant);
  return words;
}

RewardModel make_rewards(PoolView pool, const WorldOptions& options, const std::vector<double>& weights) {
  switch (options.reward) {
    case RewardKind::logistic: return RewardModel::logistic(pool.by_document, weights);
    case RewardKind::label: return RewardModel::label(pool.by_document, weights, options.topic_share);
    case RewardKind::linear:
    case RewardKind::document: break;
  }
  return RewardModel::linear(pool.by_document, weights, options.noise);
}

MarkModel make_marks(PoolView pool, const WorldOptions& options, const std::vector<FeatureId>& relevant, RandomStream& random) {
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
  return {pool.features(), std::move(markable), MarkRates{options.mark_probability}};
}

World make_topic_world(PoolView pool, const WorldOptions& options, RandomStream& random) {
  const auto drawn = random.below(static_cast<std::uint64_t>(options.topics->count));
  const std::int32_t topic = options.topics->wanted.value_or(static_cast<std::int32_t>(drawn));
  std::vector<FeatureId> relevant = words_of_topic(pool, options, topic);
  MarkModel marks = make_marks(pool, options, relevant, random);
  return {pool, RewardModel::topic(options.topics->of_documents, topic), std::move(marks), std::move(relevant), nullptr};
}

std::vector<double> draw_rewards(PoolView pool, const std::vector<FeatureId>& relevant, const RatingOptions& options) {
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

World make_world(PoolView pool, const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::target);
  if (options.reward == RewardKind::label && options.topics) return make_topic_world(pool, options, random);
  Truth truth = options.reward == RewardKind::document ? draw_document_truth(pool, options.norm_bound, random)
                                                       : draw_weighted_truth(pool, options, random);
  MarkModel marks = make_marks(pool, options, truth.relevant, random);
  RewardModel rewards = make_rewards(pool, options, truth.weights);
  return {pool, std::move(rewards), std::move(marks), std::move(truth.relevant), nullptr};
}

World make_synthetic_world(const WorldOptions& options, std::uint64_t seed, std::uint64_t trial) {
  RandomStream random(seed, trial, RandomRole::pool);
  auto pool = std::make_shared<const PoolMatrix>(synthetic_documents(options.pool, random));
  World world = make_world(pool->view(), options, seed, trial);
  world.pool_owner = std::move(pool);
  return world;
}

std::int64_t rounds_to_find_all(const World& world, std::int64_t most) {
  // The chance that feature j is still unmarked after T0 random plays is (1 - p df_j / N)^T0; their sum bounds the chance that
  // some feature is.
  std::vector<double> log_misses;
  for (const FeatureId feature : world.relevant) {
    const double share = static_cast<double>(world.pool.by_feature.row(feature).size()) / world.pool.documents();
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
    if (still_unmarked(middle) <= 0.05)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

SimulatedReader::SimulatedReader(const World& world, std::uint64_t seed, std::uint64_t trial)
    : world_(world),
      noise_(seed, trial, RandomRole::reward),
      mark_draws_(seed, trial, RandomRole::marks),
      marked_before_(static_cast<std::size_t>(world.pool.features()), false) {}

Answer SimulatedReader::answer(DocumentId document) {
  const double reward = world_.rewards.draw(document, noise_);
  world_.marks.draw(document, world_.pool.by_document.row(document), mark_draws_, marks_);
  new_marks_.clear();
  for (const FeatureId feature : marks_) {
    if (!marked_before_[static_cast<std::size_t>(feature)]) new_marks_.push_back(feature);
    marked_before_[static_cast<std::size_t>(feature)] = true;
  }
  return {reward, marks_, new_marks_};
}

World rate_pool(PoolView pool, const RatingOptions& options) {
  std::vector<FeatureId> candidates = features_within(pool, options.frequency);
  require_features("the number of relevant features",
                   fmt::format("the features with a document frequency from {} to {}", number_text(options.frequency.low),
                               number_text(options.frequency.high)),
                   candidates.size(), options.relevant);
  RandomStream random(options.seed, 0, RandomRole::subset);
  return rate_pool(pool, draw_features(std::move(candidates), options.relevant, random), options);
}

World rate_pool(PoolView pool, std::vector<FeatureId> relevant, const RatingOptions& options) {
  RewardModel rewards = RewardModel::fixed(draw_rewards(pool, relevant, options));
  MarkModel marks(pool.features(), relevant, {options.mark_probability});
  return {pool, std::move(rewards), std::move(marks), std::move(relevant), nullptr};
}

}  // namespace inkling
