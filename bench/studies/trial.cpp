#include "bench/studies/trial.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "io/cli/stopwatch.hpp"

namespace inkling::bench {
namespace {

/// The best expected reward among what remains, as documents leave.
class BestRemaining {
 public:
  explicit BestRemaining(const RewardModel& rewards) : best_first_(rewards.expected().size()) {
    std::iota(best_first_.begin(), best_first_.end(), 0);
    std::ranges::stable_sort(best_first_, [&](DocumentId left, DocumentId right) {
      return rewards.expected(left) > rewards.expected(right);
    });
  }

  /// Requires: something remains, and what is gone stays gone.
  [[nodiscard]] DocumentId document(const RemainingDocuments& remaining) {
    while (!remaining.contains(best_first_[at_])) ++at_;
    return best_first_[at_];
  }

 private:
  std::vector<DocumentId> best_first_;
  std::size_t at_ = 0;
};

std::vector<FeatureId> subset_of(const World& world, const Entrant& entrant, std::uint64_t trial) {
  if (!entrant.options.given.empty()) return entrant.options.given;
  const auto relevant = static_cast<std::int32_t>(world.relevant.size());
  RandomStream random(entrant.seed, trial, RandomRole::subset);
  return draw_features(world.relevant, std::min(entrant.subset_size.value_or(relevant), relevant), random);
}

PolicyOptions options_in(const World& world, const Entrant& entrant, std::uint64_t trial) {
  PolicyOptions options = entrant.options;
  options.expected_rounds = entrant.rounds;
  if (entrant.preset.explores == ExplorationSchedule::Kind::first_rounds) {
    options.first_rounds =
        entrant.explore_rounds.value_or(rounds_to_find_all(world, (entrant.rounds + 1) / 2));
  }
  if (entrant.preset.scope == FeatureScope::Kind::given) options.given = subset_of(world, entrant, trial);
  return options;
}

std::int64_t relevant_among(const World& world, std::span<const FeatureId> features) {
  return std::ranges::count_if(
      features, [&](FeatureId feature) { return std::ranges::binary_search(world.relevant, feature); });
}

/// Ties go to the lower feature.
std::vector<LearnedWord> heaviest_words(const Policy& policy, std::int32_t features, std::int32_t most) {
  std::vector<LearnedWord> words;
  if (policy.learner() == nullptr || most == 0) return words;
  const Learner& learner = *policy.learner();
  for (FeatureId feature = 0; feature < features; ++feature) {
    if (learner.uses(feature)) words.push_back({feature, learner.weight(feature)});
  }
  const auto told =
      words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), static_cast<std::size_t>(most)));
  std::ranges::partial_sort(words, told, {}, [](const LearnedWord& word) {
    return std::pair(-std::fabs(word.weight), word.feature);
  });
  words.erase(told, words.end());
  return words;
}

/// Does nothing where the policy has no radius, no model of the pool's features or none in use yet.
void watch(Coverage& coverage, const World& world, const Policy& policy, const Play& play, DocumentId best) {
  const LinearModel* model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  if (!play.radius || model == nullptr || model->features_in_use() == 0) return;
  coverage.add(*model, world, best, *play.radius);
}

}  // namespace

std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points) {
  const std::int64_t count = std::min(rounds, points);
  std::vector<std::int64_t> at;
  for (std::int64_t n = 1; n <= count; ++n) at.push_back(rounds * n / count);
  return at;
}

/// V = Lambda + sum x x', so the square is a sum over features and one over plays.
double distance_to_truth(const LinearModel& model, const World& world) {
  std::vector<double> error(world.truth.size(), 0.0);
  double square = 0.0;
  for (std::size_t j = 0; j < error.size(); ++j) {
    const auto feature = static_cast<FeatureId>(j);
    if (!model.uses(feature)) continue;
    error[j] = model.weight(feature) - world.truth[j];
    square += model.precision(feature) * error[j] * error[j];
  }
  for (std::size_t place = 0; place < model.played().in_order().size(); ++place) {
    const SparseRow row = model.played().row(place);
    double product = 0.0;
    for (std::size_t n = 0; n < row.size(); ++n) {
      product += static_cast<double>(row.values[n]) * error[static_cast<std::size_t>(row.features[n])];
    }
    square += static_cast<double>(model.played().in_order()[place].plays) * product * product;
  }
  return std::sqrt(square);
}

void Coverage::add(const LinearModel& model, const World& world, DocumentId best, double radius) {
  const Prediction prediction = model.predict(world.pool.by_document.row(best));
  const double optimistic = prediction.mean + radius * std::sqrt(std::max(prediction.square, 0.0));
  // Of numbers that are equal but for rounding, neither is said to be larger.
  constexpr double rounding = 1e-9;
  ++rounds;
  if (distance_to_truth(model, world) > radius + rounding) ++missed;
  if (world.rewards.expected(best) > optimistic + rounding) ++undervalued;
}

TrialResult run_trial(const World& world, const Entrant& entrant, std::uint64_t trial,
                      const RoundObserver& observer) {
  assert(entrant.coverage == CoverageWatch::none || !world.truth.empty());
  assert(entrant.options.with_replacement || entrant.rounds <= world.pool.documents());
  Policy policy(world.pool, entrant.preset, options_in(world, entrant, trial),
                RandomStream(entrant.seed, trial, RandomRole::exploration),
                RandomStream(entrant.seed, trial, RandomRole::sampling));
  SimulatedReader reader(world, entrant.seed, trial);
  BestRemaining best(world.rewards);
  TrialResult result;
  if (entrant.coverage == CoverageWatch::every_round) result.coverage.emplace();
  const std::vector<std::int64_t> record_at = checkpoints(entrant.rounds);
  const auto relevant = static_cast<std::int64_t>(world.relevant.size());
  std::int64_t relevant_found = 0;
  for (std::int64_t round = 1; round <= entrant.rounds; ++round) {
    const DocumentId best_document = best.document(policy.remaining());
    const double best_expected = world.rewards.expected(best_document);
    const Stopwatch choosing;
    const Play play = policy.choose();
    result.decision_seconds += choosing.seconds();
    if (result.coverage) watch(*result.coverage, world, policy, play, best_document);
    const Answer answer = reader.answer(play.document);
    const Stopwatch learning;
    policy.observe(play.document, answer.reward, answer.marks);
    result.decision_seconds += learning.seconds();

    const double regret = best_expected - world.rewards.expected(play.document);
    result.regret += regret;
    result.reward += answer.reward;
    result.explored += play.explored ? 1 : 0;
    result.features_found += static_cast<std::int64_t>(answer.new_marks.size());
    relevant_found += relevant_among(world, answer.new_marks);
    if (!result.all_found_at && relevant_found == relevant) result.all_found_at = round;
    if (round == record_at[result.curve.size()]) result.curve.push_back(result.regret);
    observer({round, play, answer.reward, regret, answer.new_marks});
  }
  result.words = heaviest_words(policy, world.pool.features(), entrant.words_told);
  return result;
}

}  // namespace inkling::bench
