#include "bench/simulation/trial.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <numeric>

namespace inkling::bench {
namespace {

/// The best expected reward among what remains, as documents leave.
class BestRemaining {
 public:
  explicit BestRemaining(const RewardModel& rewards)
      : rewards_(rewards), best_first_(rewards.expected().size()) {
    std::iota(best_first_.begin(), best_first_.end(), 0);
    std::ranges::stable_sort(best_first_, [&](DocumentId left, DocumentId right) {
      return rewards.expected(left) > rewards.expected(right);
    });
  }

  /// Requires: something remains, and what is gone stays gone.
  [[nodiscard]] double expected(const RemainingDocuments& remaining) {
    while (!remaining.contains(best_first_[at_])) ++at_;
    return rewards_.expected(best_first_[at_]);
  }

 private:
  const RewardModel& rewards_;
  std::vector<DocumentId> best_first_;
  std::size_t at_ = 0;
};

std::vector<FeatureId> subset_of(const World& world, const TrialOptions& options, std::uint64_t trial) {
  if (!options.subset.empty()) return options.subset;
  const auto relevant = static_cast<std::int32_t>(world.relevant.size());
  RandomStream random(options.seed, trial, RandomRole::subset);
  return draw_features(world.relevant, std::min(options.subset_size.value_or(relevant), relevant), random);
}

PolicyOptions policy_options(const World& world, const Contestant& contestant, const TrialOptions& options,
                             std::uint64_t trial) {
  PolicyOptions policy;
  policy.learner.ridge = {contestant.ridge, options.factor};
  policy.learner.confidence = options.confidence;
  policy.learner.scoring = contestant.scoring;
  policy.with_replacement = options.with_replacement;
  policy.epoch_constant = options.epoch_constant;
  if (contestant.preset.explores == ExplorationSchedule::Kind::first_rounds) {
    policy.first_rounds =
        options.explore_rounds.value_or(rounds_to_find_all(world, (options.rounds + 1) / 2));
  }
  if (contestant.preset.scope == FeatureScope::Kind::given) policy.given = subset_of(world, options, trial);
  return policy;
}

}  // namespace

std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points) {
  const std::int64_t count = std::min(rounds, points);
  std::vector<std::int64_t> at;
  for (std::int64_t n = 1; n <= count; ++n) at.push_back(rounds * n / count);
  return at;
}

TrialResult run_trial(const World& world, const Contestant& contestant, const TrialOptions& options,
                      std::uint64_t trial, const RoundObserver& observer) {
  assert(options.with_replacement || options.rounds <= world.pool.documents());
  using Clock = std::chrono::steady_clock;
  Policy policy(world.pool, contestant.preset, policy_options(world, contestant, options, trial),
                RandomStream(options.seed, trial, RandomRole::exploration),
                RandomStream(options.seed, trial, RandomRole::sampling));
  RandomStream reward_noise(options.seed, trial, RandomRole::reward);
  RandomStream mark_draws(options.seed, trial, RandomRole::marks);
  BestRemaining best(world.rewards);
  std::vector<bool> found(static_cast<std::size_t>(world.pool.features()), false);
  std::vector<FeatureId> marks;
  std::vector<FeatureId> new_features;

  TrialResult result;
  Clock::duration deciding{};
  const std::vector<std::int64_t> record_at = checkpoints(options.rounds);
  for (std::int64_t round = 1; round <= options.rounds; ++round) {
    const double best_expected = best.expected(policy.remaining());
    const Clock::time_point before_choice = Clock::now();
    const Play play = policy.choose();
    deciding += Clock::now() - before_choice;

    const double reward = world.rewards.draw(play.document, reward_noise);
    world.marks.draw(world.pool.by_document.row(play.document), mark_draws, marks);
    const Clock::time_point before_learning = Clock::now();
    policy.observe(play.document, reward, marks);
    deciding += Clock::now() - before_learning;

    new_features.clear();
    for (const FeatureId feature : marks) {
      if (!found[static_cast<std::size_t>(feature)]) new_features.push_back(feature);
      found[static_cast<std::size_t>(feature)] = true;
    }
    const double regret = best_expected - world.rewards.expected(play.document);
    result.regret += regret;
    result.reward += reward;
    result.explored += play.explored ? 1 : 0;
    result.features_found += static_cast<std::int64_t>(new_features.size());
    if (round == record_at[result.curve.size()]) result.curve.push_back(result.regret);
    observer({round, play, reward, regret, new_features});
  }
  result.decision_seconds = std::chrono::duration<double>(deciding).count();
  return result;
}

}  // namespace inkling::bench
