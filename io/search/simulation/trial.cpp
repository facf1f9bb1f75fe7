#include "io/search/simulation/trial.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/model/linear_model.hpp"
#include "engine/scoring/survey/pool_survey.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/search/session/searcher.hpp"
#include "io/search/stopping/good_guess.hpp"

namespace inkling {
namespace {

/// What the best documents are worth, in the order in which a perfect search shows them.
class BestSequence {
 public:
  BestSequence(const RewardModel& rewards, const RemainingDocuments& remaining, bool with_replacement)
      : with_replacement_(with_replacement) {
    const auto documents = static_cast<DocumentId>(rewards.expected().size());
    best_first_.reserve(rewards.expected().size());
    for (DocumentId document = 0; document < documents; ++document)
      if (remaining.contains(document)) best_first_.push_back(rewards.expected(document));
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
  if (entrant.preset.explores == ExplorationSchedule::Kind::first_rounds)
    options.first_rounds = entrant.explore_rounds.value_or(rounds_to_find_all(world, (entrant.rounds + 1) / 2));
  if (entrant.preset.scope == FeatureScope::Kind::given) options.given = subset_of(world, entrant, trial);
  // Made here, because it depends on the pool alone: no decision pays for it.
  if (entrant.preset.uses.word_ratings) {
    const auto survey = std::make_shared<const PoolSurvey>(world.pool);
    static_cast<void>(survey->rows());
    options.inkling.survey = survey;
  }
  return options;
}

/// How many of the relevant features were marked so far.
class RelevantFound {
 public:
  explicit RelevantFound(const World& world) : relevant_(world.relevant) {}

  void add(std::span<const FeatureId> new_marks) {
    found_ += std::ranges::count_if(new_marks, [&](FeatureId feature) { return std::ranges::binary_search(relevant_, feature); });
  }
  [[nodiscard]] bool all() const { return found_ == std::ssize(relevant_); }

 private:
  std::span<const FeatureId> relevant_;
  std::int64_t found_ = 0;
};

/// Learns what the search starts with.
void begin_search(Policy& policy, SimulatedReader& reader, const World& world, RelevantFound& relevant, TrialResult& result) {
  if (!world.start.words.empty()) policy.rate_words(world.start.words);
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
  for (DocumentId document = 0; document < documents; ++document)
    if (rewards.is_wanted(document) && remaining.contains(document)) ++finds.there;
  return finds;
}

void count_find(Finds& finds, bool wanted) {
  ++finds.rounds;
  if (wanted) finds.at.push_back(finds.rounds);
}

bool has_ended(const Entrant& entrant, const TrialResult& result) {
  if (!entrant.end || !result.finds || result.finds->rounds < entrant.end->least_rounds) return false;
  const Finds& finds = *result.finds;
  const std::int64_t last = finds.at.empty() ? 0 : finds.at.back();
  return finds.rounds >= last + entrant.end->more_rounds &&
         static_cast<double>(finds.at.size()) >= entrant.end->share_found * static_cast<double>(finds.there);
}

/// The model's guess of what is left, from the scores that documents had when they were chosen.
class Guesser {
 public:
  Guesser(Policy& policy, std::int64_t documents) : policy_(policy), documents_(documents) {}

  void choose(const Play& play, SparseRow row) {
    const LinearModel* const model = policy_.learner() == nullptr ? nullptr : policy_.learner()->model();
    is_scored_ = model != nullptr && policy_.features_in_use() > 0 && play.radius.has_value();
    if (!is_scored_) return;
    const Prediction prediction = model->predict(row);
    score_ = prediction.mean + *play.radius * std::sqrt(std::max(prediction.square, 0.0));
  }
  void rate(bool is_good) {
    if (is_scored_) ratings_.push_back({score_, is_good});
  }
  /// -1 if it is not known.
  [[nodiscard]] double guess() {
    const std::optional<GoodGuess> guess = guess_good_left(ratings_, [this] {
      std::vector<double> unread;
      for (const Ranked& one : policy_.ranking(static_cast<std::size_t>(documents_))) unread.push_back(one.score);
      return unread;
    });
    return guess ? guess->about : -1.0;
  }

 private:
  Policy& policy_;
  std::int64_t documents_;
  std::vector<ScoredRating> ratings_;
  double score_ = 0.0;
  bool is_scored_ = false;
};

/// Ties go to the lower feature.
std::vector<WeighedWord> heaviest_words(const Policy& policy, std::int32_t features, std::int32_t most) {
  std::vector<WeighedWord> words;
  if (policy.learner() == nullptr || most == 0) return words;
  const Learner& learner = *policy.learner();
  for (FeatureId feature = 0; feature < features; ++feature)
    if (learner.uses(feature)) words.push_back({feature, learner.weight(feature)});
  const auto kept = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), static_cast<std::size_t>(most)));
  std::ranges::partial_sort(words, kept, {},
                            [](const WeighedWord& word) { return std::pair(-std::fabs(word.weight), word.feature); });
  words.erase(kept, words.end());
  return words;
}

/// A reader who names words whenever the page and the terminal would ask for them: after runs of useless documents.
class AskedReader {
 public:
  AskedReader(const World& world, const Entrant& entrant, std::uint64_t trial)
      : world_(world),
        words_(entrant.words_at_standstill),
        random_(entrant.seed, trial, RandomRole::subset),
        unnamed_(world.relevant) {}

  void rate(Policy& policy, DocumentId document, bool wanted) {
    bad_in_a_row_ = wanted ? 0 : bad_in_a_row_ + 1;
    const std::int64_t asked = standstills_after(bad_in_a_row_);
    if (words_ == 0 || asked == 0 || asked == standstills_after(bad_in_a_row_ - 1)) return;
    std::vector<FeatureId> named;
    for (std::int32_t n = 0; n < words_; ++n)
      if (const std::optional<FeatureId> word = name_one(world_.pool.by_document.row(document).features)) named.push_back(*word);
    std::ranges::sort(named);
    const auto again = std::ranges::unique(named);
    named.erase(again.begin(), again.end());
    if (!named.empty()) policy.rate_words(words_to_find(named));
  }

 private:
  std::optional<FeatureId> name_one(IdView held) {
    constexpr double wrong = 0.2;
    if (random_.coin(wrong) && !held.empty()) return held[random_.below(held.size())];
    if (unnamed_.empty()) return std::nullopt;
    const auto at = unnamed_.begin() + static_cast<std::ptrdiff_t>(random_.below(unnamed_.size()));
    const FeatureId word = *at;
    unnamed_.erase(at);
    return word;
  }

  const World& world_;
  std::int32_t words_;
  RandomStream random_;
  std::vector<FeatureId> unnamed_;
  int bad_in_a_row_ = 0;
};

}  // namespace

std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points) {
  const std::int64_t count = std::min(rounds, points);
  std::vector<std::int64_t> at;
  for (std::int64_t n = 1; n <= count; ++n) at.push_back(rounds * n / count);
  return at;
}

TrialResult run_trial(const World& world, const Entrant& entrant, std::uint64_t trial, const RoundObserver& observer) {
  assert(entrant.options.with_replacement || entrant.rounds + std::ssize(world.start.documents) <= world.pool.documents());
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
  Guesser guesser(policy, world.pool.documents());
  AskedReader asked(world, entrant, trial);
  for (std::int64_t round = 1; round <= entrant.rounds && !has_ended(entrant, result); ++round) {
    const Stopwatch choosing;
    const Play play = policy.choose();
    double seconds = choosing.seconds();
    if (entrant.guesses_every > 0) guesser.choose(play, world.pool.by_document.row(play.document));
    const Answer answer = reader.answer(play.document);
    const Stopwatch learning;
    policy.observe(play.document, answer.reward, answer.marks);
    asked.rate(policy, play.document, answer.reward > 0.0);
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
    if (result.finds && entrant.guesses_every > 0) {
      guesser.rate(world.rewards.is_wanted(play.document));
      if (round % entrant.guesses_every == 0) result.finds->guesses.push_back(guesser.guess());
    }
    if (round == record_at[result.curve.size()]) result.curve.push_back(result.regret);
    observer({round, play, answer.reward, regret, answer.new_marks});
  }
  result.curve.resize(record_at.size(), result.regret);
  result.words = heaviest_words(policy, world.pool.features(), entrant.words_told);
  return result;
}

}  // namespace inkling
