// The named algorithms: each is one choice of schedule, of scope and of learner.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/policy/exploration_schedule.hpp"
#include "engine/policy/feature_scope.hpp"
#include "engine/policy/policy_options.hpp"

namespace inkling {

class Learner;
struct PoolView;

/// Makes a learner in which no feature is in use yet. Requires: `scoring` and `form` are resolved.
using LearnerFactory = std::function<std::unique_ptr<Learner>(PoolView, const PolicyOptions&)>;

/// Which options and statements a preset uses, besides what its schedule and its scope need.
struct OptionsUsed {
  bool ridge = false;
  bool scoring = false;
  bool radius = false;
  bool soft_marks = false;
  /// It learns the weights of words from their ratings; other presets take a good rating as a mark.
  bool word_ratings = false;
  bool vectors = false;  ///< it learns from the vectors that documents may have
};

/// A setting that one preset alone has, for reports: "directions", 50.
struct PresetSetting {
  std::string_view name;
  double value = 0.0;
};

/// A new algorithm is a new row of the table in presets.cpp.
struct Preset {
  std::string_view name;
  std::string_view summary;
  ExplorationSchedule::Kind explores = ExplorationSchedule::Kind::always;
  FeatureScope::Kind scope = FeatureScope::Kind::none;
  LearnerFactory learner = nullptr;  ///< nullptr: learns nothing, and every play is random
  OptionsUsed uses = {};
  /// Whether it keeps a matrix with a row for each feature in use or for each document played.
  bool keeps_matrix = true;
  std::vector<PresetSetting> settings = {};  ///< for reports: the factory has already applied them
};

[[nodiscard]] std::span<const Preset> presets();

[[nodiscard]] std::optional<Preset> find_preset(std::string_view name);

/// The same, but throws FormatError, with the nearest name, if no preset has this name.
[[nodiscard]] const Preset& preset_named(std::string_view name);

}  // namespace inkling
