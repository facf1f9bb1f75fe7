// The named algorithms: each is one choice of schedule, of scope and of learner.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/policy/exploration_schedule.hpp"
#include "engine/policy/feature_scope.hpp"
#include "engine/policy/learner.hpp"

namespace inkling {

/// A new algorithm is a new row of the table in presets.cpp.
struct Preset {
  std::string_view name;
  std::string_view summary;
  ExplorationSchedule::Kind explores = ExplorationSchedule::Kind::always;
  FeatureScope::Kind scope = FeatureScope::Kind::none;
  LearnerKind learner = LearnerKind::none;
};

[[nodiscard]] std::span<const Preset> presets() noexcept;

[[nodiscard]] std::optional<Preset> find_preset(std::string_view name) noexcept;

}  // namespace inkling
