#include "bench/studies/trial.hpp"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <numeric>

#include "bench/worlds/simulated_reader.hpp"

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

/// Adds up the time that a policy takes; the reader's time is not counted.
class DecisionClock {
 public:
  template <typename Work>
  auto time(const Work& work) {
    const Running running(total_);
    return work();
  }

  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(total_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  class Running {
   public:
    explicit Running(Clock::duration& total) : total_(total) {}
    ~Running() { total_ += Clock::now() - start_; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Clock::duration& total_;
    Clock::time_point start_ = Clock::now();
  };

  Clock::duration total_{};
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
  policy.ridge = contestant.ridge;
  policy.factor = options.factor;
  policy.confidence = options.confidence;
  policy.scoring = contestant.scoring;
  policy.radius = contestant.radius;
  policy.expected_rounds = options.rounds;
  policy.soft_marks = contestant.soft_marks;
  policy.forced_exploration = contestant.forced_exploration;
  policy.with_replacement = options.with_replacement;
  policy.epoch_constant = options.epoch_constant;
  if (contestant.preset.explores == ExplorationSchedule::Kind::first_rounds) {
    policy.first_rounds =
        options.explore_rounds.value_or(rounds_to_find_all(world, (options.rounds + 1) / 2));
  }
  if (contestant.preset.scope == FeatureScope::Kind::given) policy.given = subset_of(world, options, trial);
  return policy;
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
  std::partial_sort(words.begin(), told, words.end(), [](const LearnedWord& left, const LearnedWord& right) {
    const double one = std::fabs(left.weight);
    const double other = std::fabs(right.weight);
    return one != other ? one > other : left.feature < right.feature;
  });
  words.erase(told, words.end());
  return words;
}

/// Does nothing where the policy has no radius, no model of the pool's features or none in use yet.
void watch(Coverage& coverage, const World& world, const Policy& policy, const Play& play, DocumentId best) {
  const LinearModel* model = policy.learner() == nullptr ? nullptr : policy.learner()->model();
  if (!play.radius || model == nullptr || model->features_in_use() == 0) return;
  coverage.add(*model, {world.pool.by_document, world.truth, world.rewards.expected(best), best},
               *play.radius);
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
  assert(options.coverage == CoverageWatch::none || !world.truth.empty());
  assert(options.with_replacement || options.rounds <= world.pool.documents());
  Policy policy(world.pool, contestant.preset, policy_options(world, contestant, options, trial),
                RandomStream(options.seed, trial, RandomRole::exploration),
                RandomStream(options.seed, trial, RandomRole::sampling));
  SimulatedReader reader(world, options.seed, trial);
  BestRemaining best(world.rewards);
  DecisionClock deciding;
  TrialResult result;
  if (options.coverage == CoverageWatch::every_round) result.coverage.emplace();
  const std::vector<std::int64_t> record_at = checkpoints(options.rounds);
  const auto relevant = static_cast<std::int64_t>(world.relevant.size());
  std::int64_t relevant_found = 0;
  for (std::int64_t round = 1; round <= options.rounds; ++round) {
    const DocumentId best_document = best.document(policy.remaining());
    const double best_expected = world.rewards.expected(best_document);
    const Play play = deciding.time([&] { return policy.choose(); });
    if (result.coverage) watch(*result.coverage, world, policy, play, best_document);
    const Answer answer = reader.answer(play.document);
    deciding.time([&] { policy.observe(play.document, answer.reward, answer.marks); });

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
  result.decision_seconds = deciding.seconds();
  result.words = heaviest_words(policy, world.pool.features(), options.words_told);
  return result;
}

}  // namespace inkling::bench
