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

/// What came of one contestant; of one that could not run, the name and why.
struct RaceEntry {
  std::string name;
  RaceMethod method = RaceMethod::ours;
  std::string about;
  RoundTimes times = {};
  std::optional<std::uint64_t> peak_bytes = {};
  std::vector<DocumentId> choices = {};  ///< one a round, as far as it came; empty for full rescoring
  /// Of the choices that the method shares with ours: how many were compared, how many differ, and the first
  /// round that does. Nothing where nothing is to be compared.
  struct Agreement {
    std::int64_t compared = 0;
    std::int64_t differences = 0;
    std::optional<std::int64_t> first_difference = {};  ///< 1 is the first round
  };
  std::optional<Agreement> agreement = {};
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
  RunOptions run;
  std::vector<RaceEntry> entries;  ///< the first is the one that ratios are taken against
  std::vector<TimedRound> marked;  ///< what ff-oful played
  std::vector<TimedRound> given;   ///< what oful-subset played
  std::optional<OwnChecks> checks;
};

/// Called when a contestant is done.
using EntryDone = std::function<void()>;

/// The rows that run in this process: both policies, each with sublinear and running scores and full
/// rescoring. Requires: called where as many threads work as shall.
void race_ours(const RatedPool& rated, const BetweenRounds& between, const EntryDone& done,
               RaceResult& result);

/// Every choice of the sublinear scoring against a full scan from nothing.
void check_ours(const RatedPool& rated, const BetweenRounds& between, RaceResult& result);

/// Compares the choices of the entry with those of our policy with given features, where the method is ours.
void compare_choices(const RaceResult& result, RaceEntry& entry);

/// For a terminal.
[[nodiscard]] std::string race_table(const RaceResult& result);

/// One JSON object, without a newline.
[[nodiscard]] std::string race_json(const RaceResult& result);

/// policy,round,document,explored: what our policies played; the same at any number of threads.
[[nodiscard]] std::string choices_csv(const RaceResult& result);

}  // namespace inkling::bench
