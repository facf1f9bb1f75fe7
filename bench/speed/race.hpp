// Our policies and other programs on one pool with the same relevant features and the same rewards.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/speed/timed_run.hpp"

namespace inkling::bench {

/// Whether a contestant should choose what our policy with given features chooses.
enum class RaceMethod {
  ours,   ///< the same method on the same features
  other,  ///< another method, or other features
};

/// What came of one contestant. Of one that could not run: its name and why.
struct RaceEntry {
  std::string name;
  RaceMethod method = RaceMethod::ours;
  std::string about;
  RoundTimes times = {};
  /// The mean round of our sublinear choice, with the same features and over the same rounds, in seconds.
  double ours_in_these_rounds = 0.0;
  std::optional<std::uint64_t> peak_bytes = {};
  std::string blas = {};                 ///< that a peer calculates with, as far as it knows
  std::vector<DocumentId> choices = {};  ///< of a peer: one a round, as far as it came
  /// How many choices were compared with ours, how many differ, and the first round that does.
  struct Agreement {
    std::int64_t compared = 0;
    std::int64_t differences = 0;
    std::optional<std::int64_t> first_difference = {};  ///< 1 is the first round
  };
  std::optional<Agreement> agreement = {};  ///< nothing where nothing is to be compared
  std::optional<std::string> skipped = {};
};

struct OwnChecks {
  ChoiceCheck marked;  ///< ff-oful against a full scan from nothing
  ChoiceCheck given;   ///< oful-subset, the same
};

struct RaceResult {
  std::int64_t documents = 0;
  std::int64_t features = 0;
  std::int64_t nonzeros = 0;
  std::uint64_t pool_bytes = 0;
  std::int64_t relevant = 0;
  std::int32_t threads = 1;
  TimedRunOptions run;
  std::vector<RaceEntry> entries;
  std::vector<TimedRound> marked;  ///< what ff-oful played
  std::vector<TimedRound> given;   ///< what oful-subset played
  std::optional<OwnChecks> checks;
};

/// Called when a contestant is done.
using EntryDone = std::function<void()>;

/// The rows that run in this process: both policies, each with sublinear and running scores and full
/// rescoring. Requires: called in an arena of as many threads as `result.threads` says.
void race_ours(const RatedPool& rated, const BetweenRounds& between, const EntryDone& done,
               RaceResult& result);

/// Every choice of the sublinear scoring against a full scan from nothing.
void check_ours(const RatedPool& rated, const BetweenRounds& between, RaceResult& result);

/// Sets what a peer's entry says beside ours: our time in the rounds that it played, and, where the method is
/// ours, how its choices agree with those of our policy with given features.
void compare_with_ours(const RaceResult& result, RaceEntry& peer);

/// For a terminal.
[[nodiscard]] std::string race_table(const RaceResult& result);

/// One JSON object, without a newline.
[[nodiscard]] std::string race_json(const RaceResult& result);

/// policy,round,document,explored: what our policies played; the same at any number of threads.
[[nodiscard]] std::string choices_csv(const RaceResult& result);

}  // namespace inkling::bench
