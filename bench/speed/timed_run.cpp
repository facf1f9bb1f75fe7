#include "bench/speed/timed_run.hpp"

#include <algorithm>
#include <cassert>
#include <fstream>
#include <span>
#include <utility>

#include "engine/model/linear_model.hpp"
#include "engine/policy/optimistic_learner.hpp"
#include "engine/policy/presets.hpp"
#include "engine/scoring/scan/batch_scan.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/system/memory.hpp"
#include "io/doors/cli/peak_memory.hpp"

namespace inkling::bench {
namespace {

constexpr double kNotTimed = -1.0;

/// The most memory that is resident at once from its construction on. One at a time in a process, because the
/// system keeps one mark.
class MemoryPeak {
 public:
  MemoryPeak() {
    return_free_memory();                      // so that memory freed earlier does not count
    constexpr char reset_resident_peak = '5';  // proc(5)
    std::ofstream file("/proc/self/clear_refs");
    file << reset_resident_peak << std::flush;
    reset_ = file.good();
  }

  /// Bytes, including those that were resident before; nothing if the system did not reset its high-water mark.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const { return reset_ ? peak_resident_memory() : std::nullopt; }

 private:
  bool reset_ = false;
};

PolicyOptions options_with(Scoring scoring, PolicyOptions options) {
  options.scoring = scoring;
  return options;
}

Policy make_policy(const World& rated, Discovery discovery, Scoring scoring, const TimedRunOptions& options) {
  PolicyOptions policy = options_with(scoring, options.policy);
  policy.with_replacement = false;
  const bool given = discovery == Discovery::given;
  if (given) policy.given = rated.relevant;
  return {rated.pool, *find_preset(given ? "oful-subset" : "ff-oful"), policy,
          RandomStream(options.seed, 0, RandomRole::exploration), RandomStream(options.seed, 0, RandomRole::sampling)};
}

/// What a policy learns of the marks: nothing if it knew all features before.
std::span<const FeatureId> marks_for(Discovery discovery, const Answer& answer) {
  return discovery == Discovery::marked ? answer.marks : std::span<const FeatureId>();
}

/// The rounds of a long run between checks for Ctrl-C.
bool worth_a_break(std::int64_t round) { return round % 64 == 0; }

void learn(Learner& learner, DocumentId document, double reward, std::span<const FeatureId> marks) {
  learner.observe(document, reward);
  for (const FeatureId feature : marks)
    if (!learner.uses(feature)) learner.adopt(feature);
  learner.retire(document);
}

/// The upper median. Requires: not empty.
double median_of(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::ranges::nth_element(samples, middle);
  return *middle;
}

/// How many rounds of rescoring fit the budget, by the time of one choice with all of a run's features.
std::int64_t rescorings_within(double budget, const World& rated, std::int32_t features, const TimedRunOptions& options) {
  if (features == 0) return options.rounds;
  RescoringLearner learner(rated.pool, options_with(Scoring::rescoring, options.policy));
  for (const FeatureId feature : std::span(rated.relevant).first(static_cast<std::size_t>(features))) learner.adopt(feature);
  RandomStream sampling(options.seed, 0, RandomRole::sampling);
  const Stopwatch watch;
  static_cast<void>(learner.choose(sampling));
  const double one = watch.seconds();
  constexpr std::int64_t fewest = 3;
  return std::max(fewest, static_cast<std::int64_t>(std::min(budget / one, 1e9)));
}

}  // namespace

std::string_view name_of(Discovery discovery) { return discovery == Discovery::marked ? "ff-oful" : "oful-subset"; }

TimedRun run_timed(const World& rated, Discovery discovery, Scoring scoring, const TimedRunOptions& options,
                   const RunListener& listener) {
  assert(options.rounds <= rated.pool.documents() && scoring != Scoring::rescoring);
  TimedRun run{{.discovery = discovery, .scoring = scoring}};
  run.rounds.reserve(static_cast<std::size_t>(options.rounds));
  SimulatedReader reader(rated, options.seed, 0);
  const MemoryPeak memory;
  const Stopwatch setup;
  Policy policy = make_policy(rated, discovery, scoring, options);
  run.setup_seconds = setup.seconds();
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    if (worth_a_break(round)) listener.between_rounds();
    const Stopwatch choosing;
    const Play play = policy.choose();
    const double chosen_after = choosing.seconds();
    const Answer answer = reader.answer(play.document);
    const Stopwatch learning;
    policy.observe(play.document, answer.reward, marks_for(discovery, answer));
    run.rounds.push_back({play.document, play.explored, chosen_after + learning.seconds()});
  }
  run.peak_bytes = memory.bytes();
  run.documents_scored =
      scoring == Scoring::sublinear ? policy.learner()->documents_scored() : options.rounds * rated.pool.documents();
  run.features_found = policy.features_in_use();
  return run;
}

TimedRun run_rescoring_along(const World& rated, const TimedRun& led, const TimedRunOptions& options,
                             const RunListener& listener) {
  const auto rounds = static_cast<std::int64_t>(led.rounds.size());
  TimedRun run{{.discovery = led.discovery, .scoring = Scoring::rescoring}};
  const std::int64_t timed = std::min(rounds, rescorings_within(options.rescoring_seconds, rated, led.features_found, options));
  const MemoryPeak memory;
  const Stopwatch setup;
  RescoringLearner learner(rated.pool, options_with(Scoring::rescoring, options.policy));
  SimulatedReader reader(rated, options.seed, 0);
  RandomStream sampling(options.seed, 0, RandomRole::sampling);
  if (led.discovery == Discovery::given)
    for (const FeatureId feature : rated.relevant) learner.adopt(feature);
  run.setup_seconds = setup.seconds();
  std::int64_t part = 0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const TimedRound& play = led.rounds[static_cast<std::size_t>(round)];
    // Times one round in each of `timed` equal parts of the run: the first one after the part's middle that chooses.
    const bool is_timed = part < timed && round >= (2 * part + 1) * rounds / (2 * timed) && !play.explored;
    if (is_timed) ++part;
    if (is_timed || worth_a_break(round)) listener.between_rounds();
    const Answer answer = reader.answer(play.document);
    TimedRound own{play.document, play.explored, kNotTimed};
    const Stopwatch watch;
    if (is_timed) own.document = learner.choose(sampling);
    learn(learner, play.document, answer.reward, marks_for(led.discovery, answer));
    if (is_timed) own.seconds = watch.seconds();
    run.rounds.push_back(own);
  }
  run.differences = count_differences(run, led);
  run.peak_bytes = memory.bytes();
  run.documents_scored = rounds * rated.pool.documents();
  run.features_found = learner.features_in_use();
  return run;
}

ChoiceCheck check_choices(const World& rated, Discovery discovery, const TimedRunOptions& options, const RunListener& listener) {
  ChoiceCheck check;
  Policy policy = make_policy(rated, discovery, Scoring::sublinear, options);
  SimulatedReader reader(rated, options.seed, 0);
  RestrictedRows buffer;
  for (std::int64_t round = 0; round < options.rounds; ++round) {
    listener.between_rounds();
    const Play play = policy.choose();
    if (!play.explored) {
      const BatchScan scan(*policy.learner()->model()->primal());
      const Ranked best =
          scan.best(rated.pool.by_document, *play.radius, 1, [&](DocumentId i) { return policy.remaining().contains(i); })
              .front();
      const Prediction own = scan.predict(rated.pool.by_document.row(play.document), buffer);
      ++check.compared;
      if (best.document != play.document) ++check.differences;
      check.largest_gap = std::max(check.largest_gap, best.score - optimism(own.mean, own.square, *play.radius));
    }
    const Answer answer = reader.answer(play.document);
    policy.observe(play.document, answer.reward, marks_for(discovery, answer));
  }
  return check;
}

std::int64_t count_differences(const TimedRun& left, const TimedRun& right) {
  std::int64_t differences = 0;
  for (std::size_t n = 0; n < std::min(left.rounds.size(), right.rounds.size()); ++n)
    if (left.rounds[n].document != right.rounds[n].document) ++differences;
  return differences;
}

std::array<TimedRun, std::size(kMeasuredScorings)> run_scorings(const World& rated, Discovery discovery,
                                                                const TimedRunOptions& options, const RunListener& listener) {
  TimedRun sublinear = run_timed(rated, discovery, Scoring::sublinear, options, listener);
  listener.run_done();
  TimedRun running = run_timed(rated, discovery, Scoring::running, options, listener);
  running.differences = count_differences(running, sublinear);
  listener.run_done();
  TimedRun rescoring = run_rescoring_along(rated, sublinear, options, listener);
  listener.run_done();
  return {std::move(sublinear), std::move(running), std::move(rescoring)};
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
