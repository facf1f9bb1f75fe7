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

inline constexpr double kMicroseconds = 1e6;  ///< in a second

inline constexpr Discovery kDiscoveries[] = {Discovery::marked, Discovery::given};
inline constexpr Scoring kMeasuredScorings[] = {Scoring::sublinear, Scoring::running, Scoring::rescoring};

[[nodiscard]] std::string_view name_of(Discovery discovery);

struct TimedRunOptions {
  std::int64_t rounds = 2000;
  double ridge = 1.0;
  ConfidenceOptions confidence = {};
  std::uint64_t seed = 1;
  /// Rescoring a large pool is slow: only about this many seconds of rounds are timed.
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
  std::optional<std::int64_t> differences = {};  ///< choices unlike those of the run that it followed
};

/// Called between rounds, outside the clock; may throw to end the run.
using BetweenRounds = std::function<void()>;

/// Shows each document once. Requires: at most as many rounds as documents; not Scoring::rescoring.
[[nodiscard]] TimedRun run_timed(const RatedPool& rated, Discovery discovery, Scoring scoring,
                                 const TimedRunOptions& options, const BetweenRounds& between);

/// Full rescoring would take too long in every round of a large pool. So it learns the plays of `led` one
/// after another, and chooses and is timed only in some rounds, spread evenly over those that were not played
/// at random. `differences` counts the rounds in which it would have chosen another document.
[[nodiscard]] TimedRun run_rescoring_along(const RatedPool& rated, const TimedRun& led,
                                           const TimedRunOptions& options, const BetweenRounds& between);

/// What a full scan from nothing says of a run.
struct ChoiceCheck {
  std::int64_t compared = 0;     ///< rounds that were chosen, not drawn at random
  std::int64_t differences = 0;  ///< rounds in which the scan ranks another document first
  double largest_gap = 0.0;      ///< by how much, at most, the scan scores its own document higher
};

/// Runs the policy again, untimed, with BatchScan::best beside it in every round.
[[nodiscard]] ChoiceCheck check_choices(const RatedPool& rated, Discovery discovery, Scoring scoring,
                                        const TimedRunOptions& options, const BetweenRounds& between);

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
