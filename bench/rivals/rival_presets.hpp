// The algorithms of others, as presets beside those of the engine.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bench/rivals/lasso_learner.hpp"
#include "bench/rivals/projected_learner.hpp"
#include "bench/rivals/sketched_learner.hpp"
#include "engine/policy/presets.hpp"

namespace inkling::bench {

[[nodiscard]] Preset sketched_oful(const SketchOptions& options = {});
[[nodiscard]] Preset projected_oful(const ProjectionOptions& options = {});
[[nodiscard]] Preset lasso_bandit(const LassoOptions& options = {});

/// The settings that only rivals have.
struct RivalOptions {
  SketchOptions sketch = {};
  ProjectionOptions projection = {};
  LassoOptions lasso = {};
};

/// The presets of the engine, then the rivals.
[[nodiscard]] std::vector<Preset> all_presets(const RivalOptions& options = {});

/// By its name among all of them.
[[nodiscard]] std::optional<Preset> find_any_preset(std::string_view name, const RivalOptions& options = {});

}  // namespace inkling::bench
