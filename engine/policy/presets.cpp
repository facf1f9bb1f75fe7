#include "engine/policy/presets.hpp"

#include <algorithm>
#include <string>

#include "engine/core/errors.hpp"
#include "engine/core/nearest_name.hpp"
#include "engine/policy/inkling_learner.hpp"
#include "engine/policy/optimistic_learner.hpp"
#include "engine/policy/policy.hpp"
#include "engine/policy/soft_marks_learner.hpp"
#include "engine/policy/thompson_learner.hpp"

namespace inkling {
namespace {

using Explores = ExplorationSchedule::Kind;
using Scope = FeatureScope::Kind;

std::unique_ptr<Learner> optimism_by_scoring(PoolView pool, const PolicyOptions& options) {
  switch (options.scoring) {
    case Scoring::automatic:
    case Scoring::sublinear: return std::make_unique<SublinearLearner>(pool, options);
    case Scoring::running: return std::make_unique<OptimisticLearner>(pool, options);
    case Scoring::rescoring: break;
  }
  return std::make_unique<RescoringLearner>(pool, options);
}

template <typename Made>
std::unique_ptr<Learner> make_one(PoolView pool, const PolicyOptions& options) {
  return std::make_unique<Made>(pool, options);
}

constexpr OptionsUsed kOptimism = {.ridge = true, .scoring = true, .radius = true};
constexpr OptionsUsed kInkling = {.word_ratings = true, .vectors = true};
constexpr OptionsUsed kThompson = {.ridge = true};
constexpr OptionsUsed kSoftMarks = {.radius = true, .soft_marks = true};

}  // namespace

std::span<const Preset> presets() {
  static const std::vector<Preset> all = {
      {"random", "plays at random and learns nothing", Explores::always, Scope::none},
      {"inkling", "all words from the start, a base rate, and marks as ratings of words; needs no settings", Explores::never,
       Scope::all, make_one<InklingLearner>, kInkling},
      {"oful", "optimism on all words from the start (Algorithm 1)", Explores::never, Scope::all, optimism_by_scoring, kOptimism},
      {"ff-oful", "optimism on the marked words, random with probability 1/sqrt(t) (Algorithm 2)", Explores::inverse_sqrt,
       Scope::marked, optimism_by_scoring, kOptimism},
      {"ff-oful-epoch", "as ff-oful, with one exploration probability for each epoch of 2^s rounds (appendix)", Explores::epochs,
       Scope::marked, optimism_by_scoring, kOptimism},
      {"explore-then-commit", "random for T0 rounds, then optimism on the words marked in them", Explores::first_rounds,
       Scope::marked_in_first_rounds, optimism_by_scoring, kOptimism},
      {"oful-subset", "optimism on a given list of words (early-regret section)", Explores::never, Scope::given,
       optimism_by_scoring, kOptimism},
      {"soft-marks", "optimism on all words, with a prior that marks and silence change", Explores::never, Scope::all,
       make_one<SoftMarksLearner>, kSoftMarks},
      {"ff-thompson", "as ff-oful, with a draw from the posterior in place of optimism", Explores::inverse_sqrt, Scope::marked,
       make_one<ThompsonLearner>, kThompson},
      {"thompson", "a draw from the posterior on all words from the start", Explores::never, Scope::all,
       make_one<ThompsonLearner>, kThompson},
  };
  return all;
}

std::optional<Preset> find_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found == presets().end()) return std::nullopt;
  return *found;
}

const Preset& preset_named(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found != presets().end()) return *found;
  std::vector<std::string> names;
  std::string all;
  for (const Preset& preset : presets()) {
    all += (names.empty() ? "" : ", ") + std::string(preset.name);
    names.emplace_back(preset.name);
  }
  throw FormatError("policy '" + std::string(name) + "'", "expected one of " + all + did_you_mean("", name, names));
}

std::vector<NamedPolicy> named_policies() {
  std::vector<NamedPolicy> named;
  for (const Preset& preset : presets()) named.push_back({preset.name, preset.summary});
  return named;
}

}  // namespace inkling
