#include "bench/rivals/rival_presets.hpp"

#include <algorithm>
#include <memory>

namespace inkling::bench {
namespace {

/// They use every feature from the start, look at no marks and never play at random.
Preset rival(std::string_view name, std::string_view summary, OptionsUsed uses, PresetSetting setting,
             LearnerFactory learner) {
  return {.name = name,
          .summary = summary,
          .explores = ExplorationSchedule::Kind::never,
          .scope = FeatureScope::Kind::all,
          .learner = std::move(learner),
          .uses = uses,
          .keeps_matrix = false,
          .settings = {setting}};
}

}  // namespace

Preset sketched_oful(const SketchOptions& options) {
  return rival("oful-sketched", "oful with a frequent-directions sketch in place of the gram",
               {.ridge = true, .radius = true}, {"directions", static_cast<double>(options.directions)},
               [options](PoolView pool, const PolicyOptions& policy) {
                 return std::make_unique<SketchedLearner>(pool, policy, options);
               });
}

Preset projected_oful(const ProjectionOptions& options) {
  return rival("oful-projected", "oful on random projections of the documents (CBRAP)",
               {.ridge = true, .radius = true}, {"dimensions", static_cast<double>(options.dimensions)},
               [options](PoolView pool, const PolicyOptions& policy) {
                 return std::make_unique<ProjectedLearner>(pool, policy, options);
               });
}

Preset lasso_bandit(const LassoOptions& options) {
  return rival("lasso-bandit", "the best document on the features that a thresholded Lasso finds", {},
               {"scale", options.scale}, [options](PoolView pool, const PolicyOptions& /*policy*/) {
                 return std::make_unique<LassoLearner>(pool, options);
               });
}

std::vector<Preset> all_presets(const RivalOptions& options) {
  std::vector<Preset> all(presets().begin(), presets().end());
  all.push_back(sketched_oful(options.sketch));
  all.push_back(projected_oful(options.projection));
  all.push_back(lasso_bandit(options.lasso));
  return all;
}

std::optional<Preset> find_any_preset(std::string_view name, const RivalOptions& options) {
  for (Preset& preset : all_presets(options)) {
    if (preset.name == name) return std::move(preset);
  }
  return std::nullopt;
}

}  // namespace inkling::bench
