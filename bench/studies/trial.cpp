#include "bench/studies/trial.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "io/doors/cli/stopwatch.hpp"

namespace inkling::bench {
namespace {

/// What the best documents are worth, in the order in which a perfect search shows them.
class BestSequence {
 public:
  BestSequence(const RewardModel& rewards, const RemainingDocuments& remaining, bool with_replacement)
      : with_replacement_(with_replacement) {
    const auto documents = static_cast<DocumentId>(rewards.expected().size());
    best_first_.reserve(rewards.expected().size());
    for (DocumentId document = 0; document < documents; ++document) {
      if (remaining.contains(document)) best_first_.push_back(rewards.expected(document));
    }
    std::ranges::sort(best_first_, std::greater{});
  }

  /// Requires: 1 <= round, and without replacement at most as many as documents remained.
  [[nodiscard]] double expected(std::int64_t round) const {
    return best_first_[with_replacement_ ? 0 : static_cast<std::size_t>(round - 1)];
  }

 private:
  std::vector<double> best_first_;
  bool with_replacement_;
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

/// As a query: each is rated +1.
void rate_words(Policy& policy, std::span<const FeatureId> words) {
  std::vector<SaidWord> rated;
  rated.reserve(words.size());
  for (const FeatureId word : words) rated.push_back({.feature = word});
  policy.rate_words(rated);
}

/// How many of the relevant features were marked so far.
class RelevantFound {
 public:
  explicit RelevantFound(const World& world) : relevant_(world.relevant) {}

  void add(std::span<const FeatureId> new_marks) {
    found_ += std::ranges::count_if(
        new_marks, [&](FeatureId feature) { return std::ranges::binary_search(relevant_, feature); });
  }
  [[nodiscard]] bool all() const { return found_ == std::ssize(relevant_); }

 private:
  std::span<const FeatureId> relevant_;
  std::int64_t found_ = 0;
};

/// Learns what the search starts with.
void begin_search(Policy& policy, SimulatedReader& reader, const World& world, RelevantFound& relevant,
                  TrialResult& result) {
  if (!world.start.words.empty()) rate_words(policy, world.start.words);
  for (const DocumentId document : world.start.documents) {
    const Answer answer = reader.answer(document);
    policy.observe(document, answer.reward, answer.marks);
    result.features_found += static_cast<std::int64_t>(answer.new_marks.size());
    relevant.add(answer.new_marks);
  }
}

bool counts_finds(const World& world, const Entrant& entrant) {
  return world.rewards.tells_wanted() && !entrant.options.with_replacement;
}

Finds finds_before(const RewardModel& rewards, const RemainingDocuments& remaining) {
  Finds finds;
  const auto documents = static_cast<DocumentId>(rewards.expected().size());
  for (DocumentId document = 0; document < documents; ++document) {
    if (rewards.is_wanted(document) && remaining.contains(document)) ++finds.there;
  }
  return finds;
}

void count_find(Finds& finds, bool wanted) {
  ++finds.rounds;
  if (wanted) finds.at.push_back(finds.rounds);
}

/// Regret and reward follow from what was found: documents are worth 1 or -1, and a perfect search begins with all
/// wanted ones.
TrialResult trial_of_program(const World& world, const Entrant& entrant, std::uint64_t trial) {
  OtherProgram::Search search = entrant.program->search(world, trial);
  TrialResult result;
  result.decision_seconds = search.seconds;
  const Finds& finds = result.finds.emplace(std::move(search.finds));
  const auto found_by = [&finds](std::int64_t round) {
    return std::ranges::upper_bound(finds.at, round) - finds.at.begin();
  };
  for (const std::int64_t at : checkpoints(entrant.rounds)) {
    const std::int64_t round = std::min(at, finds.rounds);
    result.curve.push_back(2.0 * static_cast<double>(std::min(round, finds.there) - found_by(round)));
  }
  result.regret = result.curve.back();
  result.reward = static_cast<double>(2 * std::ssize(finds.at) - finds.rounds);
  return result;
}

bool has_ended(const Entrant& entrant, const TrialResult& result) {
  if (!entrant.end || !result.finds || result.finds->rounds < entrant.end->least_rounds) return false;
  return static_cast<double>(result.finds->at.size()) >=
         entrant.end->share_found * static_cast<double>(result.finds->there);
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

}  // namespace

std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points) {
  const std::int64_t count = std::min(rounds, points);
  std::vector<std::int64_t> at;
  for (std::int64_t n = 1; n <= count; ++n) at.push_back(rounds * n / count);
  return at;
}

TrialResult run_trial(const World& world, const Entrant& entrant, std::uint64_t trial,
                      const RoundObserver& observer) {
  assert(entrant.options.with_replacement ||
         entrant.rounds + std::ssize(world.start.documents) <= world.pool.documents());
  if (entrant.program) return trial_of_program(world, entrant, trial);
  Policy policy(world.pool, entrant.preset, options_in(world, entrant, trial),
                RandomStream(entrant.seed, trial, RandomRole::exploration),
                RandomStream(entrant.seed, trial, RandomRole::sampling));
  SimulatedReader reader(world, entrant.seed, trial);
  TrialResult result;
  RelevantFound relevant(world);
  begin_search(policy, reader, world, relevant, result);
  const BestSequence sequence(world.rewards, policy.remaining(), entrant.options.with_replacement);
  if (counts_finds(world, entrant)) result.finds = finds_before(world.rewards, policy.remaining());
  const std::vector<std::int64_t> record_at = checkpoints(entrant.rounds);
  for (std::int64_t round = 1; round <= entrant.rounds && !has_ended(entrant, result); ++round) {
    const Stopwatch choosing;
    const Play play = policy.choose();
    double seconds = choosing.seconds();
    const Answer answer = reader.answer(play.document);
    const Stopwatch learning;
    policy.observe(play.document, answer.reward, answer.marks);
    seconds += learning.seconds();
    result.decision_seconds += seconds;
    result.slowest_seconds = std::max(result.slowest_seconds, seconds);

    const double regret = sequence.expected(round) - world.rewards.expected(play.document);
    result.regret += regret;
    result.reward += answer.reward;
    result.explored += play.explored ? 1 : 0;
    result.features_found += static_cast<std::int64_t>(answer.new_marks.size());
    relevant.add(answer.new_marks);
    if (!result.all_found_at && relevant.all()) result.all_found_at = round;
    if (result.finds) count_find(*result.finds, world.rewards.is_wanted(play.document));
    if (round == record_at[result.curve.size()]) result.curve.push_back(result.regret);
    observer({round, play, answer.reward, regret, answer.new_marks});
  }
  result.curve.resize(record_at.size(), result.regret);
  result.words = heaviest_words(policy, world.pool.features(), entrant.words_told);
  return result;
}

}  // namespace inkling::bench
