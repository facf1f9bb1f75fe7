#include "engine/policy/presets.hpp"

#include <algorithm>
#include <array>

namespace inkling {
namespace {

using Explores = ExplorationSchedule::Kind;
using Scope = FeatureScope::Kind;

constexpr std::array<Preset, 12> kPresets = {{
    {"random", "plays at random and learns nothing", Explores::always, Scope::none, LearnerKind::none},
    {"oful", "optimism on all features from the start (Algorithm 1)", Explores::never, Scope::all,
     LearnerKind::optimism},
    {"ff-oful", "optimism on the marked features, random with probability 1/sqrt(t) (Algorithm 2)",
     Explores::inverse_sqrt, Scope::marked, LearnerKind::optimism},
    {"ff-oful-epoch", "the same, with one exploration probability for each epoch of 2^s rounds (appendix)",
     Explores::epochs, Scope::marked, LearnerKind::optimism},
    {"explore-then-commit", "random for T0 rounds, then optimism on the features marked in them",
     Explores::first_rounds, Scope::marked_in_first_rounds, LearnerKind::optimism},
    {"oful-subset", "optimism on a given list of features (early-regret section)", Explores::never,
     Scope::given, LearnerKind::optimism},
    {"soft-marks", "optimism on all features, with a prior that marks and silence persuade", Explores::never,
     Scope::all, LearnerKind::persuaded},
    {"ff-thompson", "as ff-oful, with a draw from the posterior in place of optimism", Explores::inverse_sqrt,
     Scope::marked, LearnerKind::thompson},
    {"thompson", "a draw from the posterior on all features from the start", Explores::never, Scope::all,
     LearnerKind::thompson},
    {"oful-sketched", "oful with a frequent-directions sketch in place of the gram", Explores::never,
     Scope::all, LearnerKind::sketched},
    {"oful-projected", "oful on random projections of the documents (CBRAP)", Explores::never, Scope::all,
     LearnerKind::projected},
    {"lasso-bandit", "the best document on the features that a thresholded Lasso finds", Explores::never,
     Scope::all, LearnerKind::lasso},
}};

}  // namespace

std::span<const Preset> presets() noexcept { return kPresets; }

std::optional<Preset> find_preset(std::string_view name) noexcept {
  const auto found = std::ranges::find(kPresets, name, &Preset::name);
  if (found == kPresets.end()) return std::nullopt;
  return *found;
}

}  // namespace inkling
