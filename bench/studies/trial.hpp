// One policy in one world for a number of rounds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bench/studies/coverage.hpp"
#include "bench/worlds/world.hpp"
#include "engine/core/ids.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/presets.hpp"

namespace inkling::bench {

/// A preset with its settings; each preset looks at those that it knows.
struct Contestant {
  Preset preset;
  double ridge = 1.0;
  Scoring scoring = Scoring::automatic;
  RadiusKind radius = RadiusKind::automatic;
  bool forced_exploration = false;
  SoftMarksOptions soft_marks = {};
};

/// Whether a trial looks in every round how far the truth lies from what its policy learned, which takes time
/// in proportion to the words of the documents played so far.
enum class CoverageWatch { none, every_round };

struct TrialOptions {
  std::int64_t rounds = 1024;
  bool with_replacement = true;
  ConfidenceOptions confidence;
  FactorKind factor = FactorKind::cholmod;
  double epoch_constant = 1.0;
  /// T0 of explore-then-commit; nothing for `rounds_to_find_all`, at most half of the rounds.
  std::optional<std::int64_t> explore_rounds;
  /// The features of oful-subset: this list, or this many of the relevant ones at random (nothing: all of
  /// them).
  std::vector<FeatureId> subset;
  std::optional<std::int32_t> subset_size;
  std::uint64_t seed = 1;
  CoverageWatch coverage = CoverageWatch::none;
  /// How many words a trial tells at its end, with their learned weights: those of largest weight.
  std::int32_t words_told = 0;
};

/// A feature and its weight in theta.
struct LearnedWord {
  FeatureId feature;
  double weight;
};

/// What happened in one round.
struct RoundRecord {
  std::int64_t round;  ///< 1 in the first
  Play play;
  double reward;
  double regret;                            ///< of this round, in expected reward
  std::span<const FeatureId> new_features;  ///< marked for the first time
};

struct TrialResult {
  double regret = 0.0;  ///< summed over the rounds, as are the next three
  double reward = 0.0;
  std::int64_t explored = 0;
  double decision_seconds = 0.0;    ///< choosing and learning only
  std::int64_t features_found = 0;  ///< distinct features that the person marked
  /// The round in which the last of the relevant features was marked; nothing where some never was.
  std::optional<std::int64_t> all_found_at = {};
  std::vector<double> curve;              ///< regret summed up to each checkpoint
  std::vector<LearnedWord> words;         ///< the heaviest first; none from a policy that learns nothing
  std::optional<Coverage> coverage = {};  ///< where it was watched
};

/// The rounds at which a curve is recorded: `points` of them or fewer, evenly spaced, the last one included.
[[nodiscard]] std::vector<std::int64_t> checkpoints(std::int64_t rounds, std::int64_t points = 200);

/// Called after each round; the record is valid during the call.
using RoundObserver = std::function<void(const RoundRecord&)>;

/// A function of the world, the contestant, the options and the trial alone, but for decision_seconds.
/// Requires: without replacement, at most as many rounds as documents.
[[nodiscard]] TrialResult run_trial(const World& world, const Contestant& contestant,
                                    const TrialOptions& options, std::uint64_t trial,
                                    const RoundObserver& observer);

}  // namespace inkling::bench
