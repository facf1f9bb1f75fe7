// One policy in one world for a number of rounds, and what came of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/worlds/world.hpp"
#include "engine/core/ids.hpp"
#include "engine/model/linear_model.hpp"
#include "engine/policy/learner.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/presets.hpp"

namespace inkling::bench {

/// Whether a trial looks in every round how far the truth lies from what its policy learned, which takes time
/// in proportion to the words of the documents played so far.
enum class CoverageWatch { none, every_round };

/// One way in which an entrant may play, of those among which its tuning chooses.
struct Candidate {
  std::string label;   ///< "2^-5", "50 directions at 2^-5"
  double value = 0.0;  ///< of the setting that a plot of the tuning has as its x
  Preset preset;
  double ridge = 1.0;
};

/// One line of a plot: a policy with all its settings, and how it is watched.
struct Entrant {
  std::string name;  ///< in plots and files; unique in its study: "oful", "T0 = 64"
  Preset preset;
  /// All but `expected_rounds` and `first_rounds`, which a trial decides. Where `given` is empty, oful-subset
  /// gets some of the relevant features at random: `subset_size` of them, or all.
  PolicyOptions options = {};
  std::int64_t rounds = 1024;
  std::uint64_t seed = 1;
  /// T0 of explore-then-commit; nothing for `rounds_to_find_all`, at most half of the rounds.
  std::optional<std::int64_t> explore_rounds = {};
  std::optional<std::int32_t> subset_size = {};
  CoverageWatch coverage = CoverageWatch::none;
  /// How many words a trial tells at its end, with their learned weights: those of largest weight.
  std::int32_t words_told = 0;
  /// Where not empty, preset and ridge are not looked at: each of these is tried in trials of their own, and
  /// the one of least mean regret plays in the trials that count. By value, ascending.
  std::vector<Candidate> candidates = {};

  void play_as(const Candidate& candidate) {
    preset = candidate.preset;
    options.ridge = candidate.ridge;
  }
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

/// |theta - theta*|_V over the features in use: what a radius bounds. A feature that is not in use is left
/// out of both. Requires: the world knows its truth, and the model is of its pool.
[[nodiscard]] double distance_to_truth(const LinearModel& model, const World& world);

/// Whether a policy keeps what its radius promises: that the truth is in its ellipsoid, and that the best
/// document is not undervalued. Counts rounds; each is looked at between its choice and its reward.
struct Coverage {
  std::int64_t rounds = 0;       ///< in which there was a radius
  std::int64_t missed = 0;       ///< of those, the truth lay outside the ellipsoid
  std::int64_t undervalued = 0;  ///< of those, the best document was worth more than its mean + radius width

  /// `best` is the best document that may be chosen.
  void add(const LinearModel& model, const World& world, DocumentId best, double radius);
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

/// A function of the world, the entrant and the trial alone, but for decision_seconds. Does not tune.
/// Requires: without replacement, at most as many rounds as documents.
[[nodiscard]] TrialResult run_trial(
    const World& world, const Entrant& entrant, std::uint64_t trial,
    const RoundObserver& observer = [](const RoundRecord&) {});

}  // namespace inkling::bench
