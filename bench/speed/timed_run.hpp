// One policy on a rated pool, every round of it timed: choosing and learning, and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {

/// Where a policy's features come from.
enum class Discovery {
  marked,  ///< one by one, as a reader marks them: ff-oful, which pays for their births
  given,   ///< all before the first round: oful-subset
};

inline constexpr double kMicroseconds = 1e6;  ///< in a second

inline constexpr Discovery kDiscoveries[] = {Discovery::marked, Discovery::given};
inline constexpr Scoring kMeasuredScorings[] = {Scoring::sublinear, Scoring::running, Scoring::rescoring};

[[nodiscard]] std::string_view name_of(Discovery discovery);

struct TimedRunOptions {
  std::int64_t rounds = 2000;
  PolicyOptions policy = {};  ///< what all scorings share
  std::uint64_t seed = 1;
  /// Rescoring a large pool is slow: only about this many seconds of rounds are timed.
  double rescoring_seconds = 3.0;
};

struct TimedRound {
  DocumentId document;
  bool explored;
  double seconds;  ///< to choose and to learn; negative where this round was not timed
};

/// A run without its rounds.
struct RunFacts {
  Discovery discovery = Discovery::marked;
  Scoring scoring = Scoring::sublinear;
  double setup_seconds = 0.0;                    ///< from nothing to the first choice
  std::int64_t documents_scored = 0;             ///< in order to choose, over all rounds
  std::int32_t features_found = 0;               ///< in use at the end
  std::optional<std::uint64_t> peak_bytes = {};  ///< peak resident memory, including the pool
  std::optional<std::int64_t> differences = {};  ///< choices that differ from the sublinear run's; nothing for that run
};

struct TimedRun : RunFacts {
  std::vector<TimedRound> rounds = {};
};

/// Called outside the clock, never by two threads at once.
struct RunListener {
  std::function<void()> between_rounds = [] {};  ///< may throw to end the run
  std::function<void()> run_done = [] {};
};

/// Shows each document once. Requires: at most as many rounds as documents; not Scoring::rescoring.
[[nodiscard]] TimedRun run_timed(const World& rated, Discovery discovery, Scoring scoring, const TimedRunOptions& options,
                                 const RunListener& listener);

/// Full rescoring would take too long in every round of a large pool. So this run learns the plays of `led` one after another,
/// and chooses and is timed only in some rounds, spread evenly over those that were not played at random. `differences` counts
/// the rounds in which it would have chosen another document.
[[nodiscard]] TimedRun run_rescoring_along(const World& rated, const TimedRun& led, const TimedRunOptions& options,
                                           const RunListener& listener);

/// The check of a run by a full scan from scratch.
struct ChoiceCheck {
  std::int64_t compared = 0;     ///< rounds that were chosen, not drawn at random
  std::int64_t differences = 0;  ///< rounds in which the scan ranks another document first
  double largest_gap = 0.0;      ///< by how much, at most, the scan scores its own document higher
};

/// Runs the policy again with sublinear scoring, untimed, with BatchScan::best beside it in every round.
[[nodiscard]] ChoiceCheck check_choices(const World& rated, Discovery discovery, const TimedRunOptions& options,
                                        const RunListener& listener);

/// The rounds in which two runs of the same rounds played another document.
[[nodiscard]] std::int64_t count_differences(const TimedRun& left, const TimedRun& right);

/// A run for each of `kMeasuredScorings`, in that order; the others count their differences from the first.
[[nodiscard]] std::array<TimedRun, std::size(kMeasuredScorings)> run_scorings(const World& rated, Discovery discovery,
                                                                              const TimedRunOptions& options,
                                                                              const RunListener& listener);

/// Statistics of the rounds that were timed; zeros if none was.
struct RoundTimes {
  std::int64_t count = 0;
  double median = 0.0;  ///< seconds
  double mean = 0.0;
};
[[nodiscard]] RoundTimes times_of(const TimedRun& run);

}  // namespace inkling::bench
