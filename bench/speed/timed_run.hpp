// One policy on a rated pool, every round of it timed: choosing and learning, and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/worlds/rated_pool.hpp"
#include "engine/core/ids.hpp"
#include "engine/policy/policy.hpp"

namespace inkling::bench {

/// Where a policy's features come from.
enum class Discovery {
  marked,  ///< one by one, as a reader marks them: ff-oful, which pays for their births
  given,   ///< all before the first round: oful-subset
};

inline constexpr Discovery kDiscoveries[] = {Discovery::marked, Discovery::given};
inline constexpr Scoring kMeasuredScorings[] = {Scoring::sublinear, Scoring::running, Scoring::rescoring};

[[nodiscard]] std::string_view name_of(Discovery discovery);

struct RunOptions {
  std::int64_t rounds = 2000;
  double ridge = 1.0;
  ConfidenceOptions confidence = {};
  std::uint64_t seed = 1;
  /// Rescoring a large pool is slow: after so many seconds' worth of rounds the rest are not timed.
  double rescoring_seconds = 3.0;
};

struct TimedRound {
  DocumentId document;
  bool explored;
  double seconds;  ///< to choose and to learn; negative where this round was not timed
};

struct TimedRun {
  Discovery discovery = Discovery::marked;
  Scoring scoring = Scoring::sublinear;
  std::vector<TimedRound> rounds = {};
  double setup_seconds = 0.0;                    ///< from nothing to the first choice
  std::int64_t documents_scored = 0;             ///< in order to choose, over all rounds
  std::int32_t features_found = 0;               ///< in use at the end
  std::optional<std::uint64_t> peak_bytes = {};  ///< resident, the pool among it
  std::optional<std::int64_t> differences = {};  ///< of its choices, where it made its own beside others'
};

/// Called between rounds, outside the clock; may throw to end the run.
using BetweenRounds = std::function<void()>;

/// Shows each document once. Requires: at most as many rounds as documents; not Scoring::rescoring.
[[nodiscard]] TimedRun run_timed(const RatedPool& rated, Discovery discovery, Scoring scoring,
                                 const RunOptions& options, const BetweenRounds& between);

/// Full rescoring, which would take too long for every round of a large pool: the plays of `led` are learned
/// one after another, and in rounds spread evenly over those that were no random plays it chooses, too, and
/// is timed. `differences` counts where it would have chosen another document.
[[nodiscard]] TimedRun run_rescoring_along(const RatedPool& rated, const TimedRun& led,
                                           const RunOptions& options, const BetweenRounds& between);

/// What a full scan from nothing says of a run.
struct ChoiceCheck {
  std::int64_t compared = 0;     ///< rounds that were chosen, not drawn at random
  std::int64_t differences = 0;  ///< rounds in which the scan ranks another document first
  double largest_gap = 0.0;      ///< by how much, at most, the scan scores its own document higher
};

/// Runs the policy again, untimed, with BatchScan::best beside it in every round.
[[nodiscard]] ChoiceCheck check_choices(const RatedPool& rated, Discovery discovery, Scoring scoring,
                                        const RunOptions& options, const BetweenRounds& between);

/// The rounds in which two runs of the same rounds played another document.
[[nodiscard]] std::int64_t count_differences(const TimedRun& left, const TimedRun& right);

/// Over the rounds that were timed; zeros where none was.
struct RoundTimes {
  std::int64_t count = 0;
  double median = 0.0;  ///< seconds
  double mean = 0.0;
};
[[nodiscard]] RoundTimes times_of(const TimedRun& run);

}  // namespace inkling::bench
