// One policy in one world for a number of rounds, and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy_state.hpp"
#include "engine/policy/presets.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling {

/// When a search for wanted documents has shown enough.
struct SearchEnd {
  double share_found = 1.0;       ///< this share of all wanted documents
  std::int64_t least_rounds = 0;  ///< but not before this round
  std::int64_t more_rounds = 0;   ///< and this many rounds after the share was found
};

/// The finds of a search, in a world that knows which documents are wanted and shows each document once.
struct Finds {
  std::int64_t there = 0;             ///< wanted documents before the first round, without the given ones
  std::int64_t rounds = 0;            ///< documents shown
  std::vector<std::int64_t> at = {};  ///< the rounds in which a wanted one was shown, ascending
  std::vector<double> guesses = {};   ///< of what is left, every `Entrant::guesses_every` rounds; -1: not known
};

/// One line of a plot: a policy with all its settings.
struct Entrant {
  std::string name;  ///< in plots and files
  Preset preset;
  /// All but `expected_rounds` and `first_rounds`, which a trial decides. Where `given` is empty, oful-subset
  /// gets some of the relevant features at random: `subset_size` of them, or all.
  PolicyOptions options = {};
  std::int64_t rounds = 1024;
  std::uint64_t seed = 1;
  /// T0 of explore-then-commit; nothing for `rounds_to_find_all`, at most half of the rounds.
  std::optional<std::int64_t> explore_rounds = {};
  std::optional<std::int32_t> subset_size = {};
  /// How many words a trial reports at its end, with their learned weights: those of largest weight.
  std::int32_t words_told = 0;
  /// Ends a trial before its last round, in worlds that know which documents are wanted.
  std::optional<SearchEnd> end = {};
  /// Rounds between guesses of how many wanted documents are left; 0: no guesses.
  std::int64_t guesses_every = 0;
  /// Whenever eight documents in a row were not wanted, the reader names this many words that they have not named yet: of the
  /// world's relevant ones or, one in five, of the document that was shown last. Each is rated +1.
  std::int32_t words_at_standstill = 0;
};

/// A feature and its weight in theta.
struct WeighedWord {
  FeatureId feature;
  double weight;
};

/// What happened in one round.
struct RoundRecord {
  std::int64_t round;  ///< 1 in the first
  Play play;
  double reward;
  double regret;                            ///< of this round, in expected reward (`TrialResult`)
  std::span<const FeatureId> new_features;  ///< marked for the first time
};

struct TrialResult {
  /// Summed over the rounds, as are the next three. Where documents may be shown again, a round's regret is against the
  /// best document. Where each is shown once, it is against the sequence of the best documents: in round t the t-th
  /// best of all. So the sum is by how much the shown documents are worth less than as many of the best. A wanted
  /// document that comes late costs only its delay, and single rounds may count below 0.
  double regret = 0.0;
  double reward = 0.0;
  std::int64_t explored = 0;
  double decision_seconds = 0.0;    ///< choosing and learning only
  double slowest_seconds = 0.0;     ///< of one round, the same
  std::int64_t features_found = 0;  ///< distinct features that the person marked
  /// The round in which the last of the relevant features was marked; nothing if some never was.
  std::optional<std::int64_t> all_found_at = {};
  std::vector<double> curve;        ///< regret summed up to each checkpoint
  std::vector<WeighedWord> words;   ///< the heaviest first; none from a policy that learns nothing
  std::optional<Finds> finds = {};  ///< where documents are wanted or not, each shown once
};

/// The rounds at which a curve is recorded: `points` of them or fewer, evenly spaced, the last one included.
[[nodiscard]] std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points = 200);

/// Called after each round; the record is valid during the call.
using RoundObserver = std::function<void(const RoundRecord&)>;

/// A function of the world, the entrant and the trial alone, except for times. What the world's search starts with
/// is learned before round 1 and counts in no number but features_found. A curve that ends early stays level. Requires: without
/// replacement, at most as many rounds as documents that are not given.
[[nodiscard]] TrialResult run_trial(
    const World& world, const Entrant& entrant, std::uint64_t trial, const RoundObserver& observer = [](const RoundRecord&) {});

}  // namespace inkling
