#include "bench/speed/timed_run.hpp"

#include <algorithm>
#include <cassert>
#include <fstream>
#include <memory>
#include <span>
#include <utility>

#include <malloc.h>

#include "engine/core/random_stream.hpp"
#include "engine/policy/presets.hpp"
#include "engine/policy/rescoring_learner.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "io/cli/peak_memory.hpp"
#include "io/cli/stopwatch.hpp"

namespace inkling::bench {
namespace {

constexpr double kNotTimed = -1.0;

/// The most memory that is resident at once from its construction on. One at a time in a process, because the
/// system keeps one mark.
class MemoryPeak {
 public:
  MemoryPeak() {
    ::malloc_trim(0);                          // what others have freed does not count
    constexpr char reset_resident_peak = '5';  // proc(5)
    std::ofstream file("/proc/self/clear_refs");
    file << reset_resident_peak << std::flush;
    reset_ = file.good();
  }

  /// Bytes, those that were resident before included; nothing where the system did not reset its mark.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const {
    return reset_ ? peak_resident_memory() : std::nullopt;
  }

 private:
  bool reset_ = false;
};

PolicyOptions told_options(Scoring scoring, const TimedRunOptions& options) {
  PolicyOptions told;
  told.ridge = options.ridge;
  told.confidence = options.confidence;
  told.scoring = scoring;
  return told;
}

Policy make_policy(const RatedPool& rated, Discovery discovery, Scoring scoring,
                   const TimedRunOptions& options) {
  PolicyOptions policy = told_options(scoring, options);
  policy.with_replacement = false;
  const bool given = discovery == Discovery::given;
  if (given) policy.given = rated.relevant;
  return {rated.pool, *find_preset(given ? "oful-subset" : "ff-oful"), policy,
          RandomStream(options.seed, 0, RandomRole::exploration),
          RandomStream(options.seed, 0, RandomRole::sampling)};
}

/// What the reader says of the documents of one run, in order.
class Answers {
 public:
  Answers(const RatedPool& rated, Discovery discovery, std::uint64_t seed)
      : rated_(rated), discovery_(discovery), random_(seed, 0, RandomRole::marks) {}

  [[nodiscard]] double reward(DocumentId document) const {
    return rated_.rewards[static_cast<std::size_t>(document)];
  }

  /// Valid until the next call, which is that of the next document played.
  [[nodiscard]] std::span<const FeatureId> marks(DocumentId document) {
    if (discovery_ == Discovery::given) return {};
    rated_.marks.draw(document, rated_.pool.by_document.row(document), random_, marks_);
    return marks_;
  }

 private:
  const RatedPool& rated_;
  Discovery discovery_;
  RandomStream random_;
  std::vector<FeatureId> marks_;
};

/// The rounds of a long run at which Ctrl-C is looked for.
bool worth_a_break(std::int64_t round) { return round % 64 == 0; }

void learn(Learner& learner, DocumentId document, double reward, std::span<const FeatureId> marks) {
  learner.observe(document, reward);
  for (const FeatureId feature : marks) {
    if (!learner.uses(feature)) learner.adopt(feature);
  }
  learner.retire(document);
}

/// The upper median. Requires: not empty.
double median_of(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  return *middle;
}

/// How many rounds of rescoring fit the budget, by the time of one choice with all of a run's features.
std::int64_t rescorings_within(double budget, const RatedPool& rated, std::int32_t features,
                               const TimedRunOptions& options) {
  const auto learner =
      std::make_unique<RescoringLearner>(rated.pool, told_options(Scoring::rescoring, options));
  for (const FeatureId feature : std::span(rated.relevant).first(static_cast<std::size_t>(features))) {
    learner->adopt(feature);
  }
  if (features == 0) return options.rounds;
  RandomStream sampling(options.seed, 0, RandomRole::sampling);
  const Stopwatch watch;
  static_cast<void>(learner->choose(sampling));
  const double one = watch.seconds();
  constexpr std::int64_t fewest = 3;
  return std::max(fewest, static_cast<std::int64_t>(std::min(budget / one, 1e9)));
}

/// Full rescoring as it follows the plays of another.
class Follower {
 public:
  Follower(const RatedPool& rated, Discovery discovery, const TimedRunOptions& options)
      : learner_(std::make_unique<RescoringLearner>(rated.pool, told_options(Scoring::rescoring, options))),
        answers_(rated, discovery, options.seed),
        sampling_(options.seed, 0, RandomRole::sampling) {
    if (discovery != Discovery::given) return;
    for (const FeatureId feature : rated.relevant) learner_->adopt(feature);
  }

  /// Learns the play; where it is timed, chooses first. Returns the round with its own choice.
  TimedRound follow(const TimedRound& play, bool timed) {
    const double reward = answers_.reward(play.document);
    const std::span<const FeatureId> marks = answers_.marks(play.document);
    TimedRound own{play.document, play.explored, kNotTimed};
    const Stopwatch watch;
    if (timed) own.document = learner_->choose(sampling_);
    learn(*learner_, play.document, reward, marks);
    if (timed) own.seconds = watch.seconds();
    return own;
  }

  [[nodiscard]] std::int32_t features() const { return learner_->features_in_use(); }

 private:
  std::unique_ptr<Learner> learner_;
  Answers answers_;
  RandomStream sampling_;
};

}  // namespace

std::string_view name_of(Discovery discovery) {
  return discovery == Discovery::marked ? "ff-oful" : "oful-subset";
}

TimedRun run_timed(const RatedPool& rated, Discovery discovery, Scoring scoring,
                   const TimedRunOptions& options, const BetweenRounds& between) {
  assert(options.rounds <= rated.pool.documents() && scoring != Scoring::rescoring);
  TimedRun run{.discovery = discovery, .scoring = scoring};
  run.rounds.reserve(static_cast<std::size_t>(options.rounds));
  Answers answers(rated, discovery, options.seed);
  const MemoryPeak memory;
  const Stopwatch setup;
  Policy policy = make_policy(rated, discovery, scoring, options);
  run.setup_seconds = setup.seconds();
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    if (worth_a_break(round)) between();
    const Stopwatch choosing;
    const Play play = policy.choose();
    const double chosen_after = choosing.seconds();
    const double reward = answers.reward(play.document);
    const std::span<const FeatureId> marks = answers.marks(play.document);
    const Stopwatch learning;
    policy.observe(play.document, reward, marks);
    run.rounds.push_back({play.document, play.explored, chosen_after + learning.seconds()});
  }
  run.peak_bytes = memory.bytes();
  run.documents_scored = scoring == Scoring::sublinear ? policy.learner()->documents_scored()
                                                       : options.rounds * rated.pool.documents();
  run.features_found = policy.features_in_use();
  return run;
}

TimedRun run_rescoring_along(const RatedPool& rated, const TimedRun& led, const TimedRunOptions& options,
                             const BetweenRounds& between) {
  const auto rounds = static_cast<std::int64_t>(led.rounds.size());
  TimedRun run{.discovery = led.discovery, .scoring = Scoring::rescoring};
  const std::int64_t timed =
      std::min(rounds, rescorings_within(options.rescoring_seconds, rated, led.features_found, options));
  const MemoryPeak memory;
  const Stopwatch setup;
  Follower follower(rated, led.discovery, options);
  run.setup_seconds = setup.seconds();
  run.differences = 0;
  std::int64_t part = 0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const TimedRound& play = led.rounds[static_cast<std::size_t>(round)];
    // From the middle of each of `timed` equal parts of the run on, the first round that chooses.
    const bool is_timed = part < timed && round >= (2 * part + 1) * rounds / (2 * timed) && !play.explored;
    if (is_timed) ++part;
    if (is_timed || worth_a_break(round)) between();
    run.rounds.push_back(follower.follow(play, is_timed));
    if (run.rounds.back().document != play.document) ++*run.differences;
  }
  run.peak_bytes = memory.bytes();
  run.documents_scored = rounds * rated.pool.documents();
  run.features_found = follower.features();
  return run;
}

ChoiceCheck check_choices(const RatedPool& rated, Discovery discovery, Scoring scoring,
                          const TimedRunOptions& options, const BetweenRounds& between) {
  ChoiceCheck check;
  Policy policy = make_policy(rated, discovery, scoring, options);
  Answers answers(rated, discovery, options.seed);
  RestrictedRows buffer;
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    between();
    const Play play = policy.choose();
    if (!play.explored) {
      const BatchScan scan(*policy.learner()->model()->primal());
      const Ranked best = scan.best(rated.pool.by_document, *play.radius, 1,
                                    [&](DocumentId i) { return policy.remaining().contains(i); })
                              .front();
      const Prediction own = scan.predict(rated.pool.by_document.row(play.document), buffer);
      ++check.compared;
      if (best.document != play.document) ++check.differences;
      check.largest_gap =
          std::max(check.largest_gap, best.score - optimism(own.mean, own.square, *play.radius));
    }
    policy.observe(play.document, answers.reward(play.document), answers.marks(play.document));
  }
  return check;
}

std::int64_t count_differences(const TimedRun& left, const TimedRun& right) {
  std::int64_t differences = 0;
  for (std::size_t n = 0; n < std::min(left.rounds.size(), right.rounds.size()); ++n) {
    if (left.rounds[n].document != right.rounds[n].document) ++differences;
  }
  return differences;
}

RoundTimes times_of(const TimedRun& run) {
  std::vector<double> seconds;
  double sum = 0.0;
  for (const TimedRound& round : run.rounds) {
    if (round.seconds < 0.0) continue;
    seconds.push_back(round.seconds);
    sum += round.seconds;
  }
  if (seconds.empty()) return {};
  const auto count = static_cast<std::int64_t>(seconds.size());
  return {count, median_of(std::move(seconds)), sum / static_cast<double>(count)};
}

}  // namespace inkling::bench
