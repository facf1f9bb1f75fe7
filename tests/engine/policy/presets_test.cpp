#include "engine/policy/presets.hpp"

#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Explores = ExplorationSchedule::Kind;
using Scope = FeatureScope::Kind;

void check_preset(std::string_view name, Explores explores, Scope scope, LearnerKind learner) {
  INFO(std::string(name));
  const auto preset = find_preset(name);
  REQUIRE(preset.has_value());
  CHECK(preset->name == name);
  CHECK_FALSE(preset->summary.empty());
  CHECK(preset->explores == explores);
  CHECK(preset->scope == scope);
  CHECK(preset->learner == learner);
}

TEST_CASE(
    "the presets are the algorithms of the paper and what goes beyond and what they are compared with") {
  check_preset("random", Explores::always, Scope::none, LearnerKind::none);
  check_preset("oful", Explores::never, Scope::all, LearnerKind::optimism);
  check_preset("ff-oful", Explores::inverse_sqrt, Scope::marked, LearnerKind::optimism);
  check_preset("ff-oful-epoch", Explores::epochs, Scope::marked, LearnerKind::optimism);
  check_preset("explore-then-commit", Explores::first_rounds, Scope::marked_in_first_rounds,
               LearnerKind::optimism);
  check_preset("oful-subset", Explores::never, Scope::given, LearnerKind::optimism);
  check_preset("ff-thompson", Explores::inverse_sqrt, Scope::marked, LearnerKind::thompson);
  check_preset("soft-marks", Explores::never, Scope::all, LearnerKind::persuaded);
  check_preset("thompson", Explores::never, Scope::all, LearnerKind::thompson);
  check_preset("oful-sketched", Explores::never, Scope::all, LearnerKind::sketched);
  check_preset("oful-projected", Explores::never, Scope::all, LearnerKind::projected);
  check_preset("lasso-bandit", Explores::never, Scope::all, LearnerKind::lasso);
  CHECK(presets().size() == 12);
}

TEST_CASE("preset names are unique and found exactly") {
  std::set<std::string_view> names;
  for (const Preset& preset : presets()) names.insert(preset.name);
  CHECK(names.size() == presets().size());
  for (const char* const unknown : {"", "OFUL", "ff", "ff-oful ", "ff-oful-epochs"}) {
    CHECK_FALSE(find_preset(unknown).has_value());
  }
}

}  // namespace
}  // namespace inkling
