#include "engine/policy/presets.hpp"

#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace inkling {
namespace {

using Explores = ExplorationSchedule::Kind;
using Scope = FeatureScope::Kind;

constexpr OptionsUsed kOptimism = {.ridge = true, .scoring = true, .radius = true};

void check_preset(std::string_view name, Explores explores, Scope scope, OptionsUsed uses) {
  INFO(std::string(name));
  const auto preset = find_preset(name);
  REQUIRE(preset.has_value());
  CHECK(preset->name == name);
  CHECK_FALSE(preset->summary.empty());
  CHECK(preset->explores == explores);
  CHECK(preset->scope == scope);
  CHECK((preset->learner != nullptr) == (scope != Scope::none));
  CHECK(preset->uses.ridge == uses.ridge);
  CHECK(preset->uses.scoring == uses.scoring);
  CHECK(preset->uses.radius == uses.radius);
  CHECK(preset->uses.soft_marks == uses.soft_marks);
  CHECK(preset->uses.word_ratings == uses.word_ratings);
}

TEST_CASE("the presets are the algorithms of the paper and those that go beyond it") {
  check_preset("inkling", Explores::never, Scope::all, {.word_ratings = true});
  check_preset("random", Explores::always, Scope::none, {});
  check_preset("oful", Explores::never, Scope::all, kOptimism);
  check_preset("ff-oful", Explores::inverse_sqrt, Scope::marked, kOptimism);
  check_preset("ff-oful-epoch", Explores::epochs, Scope::marked, kOptimism);
  check_preset("explore-then-commit", Explores::first_rounds, Scope::marked_in_first_rounds, kOptimism);
  check_preset("oful-subset", Explores::never, Scope::given, kOptimism);
  check_preset("ff-thompson", Explores::inverse_sqrt, Scope::marked, {.ridge = true});
  check_preset("soft-marks", Explores::never, Scope::all, {.radius = true, .soft_marks = true});
  check_preset("thompson", Explores::never, Scope::all, {.ridge = true});
}

TEST_CASE("preset names are unique and found exactly") {
  std::set<std::string_view> names;
  for (const Preset& preset : presets()) names.insert(preset.name);
  CHECK(names.size() == presets().size());
  for (const char* const unknown : {"", "OFUL", "ff", "ff-oful ", "ff-oful-epochs"})
    CHECK_FALSE(find_preset(unknown).has_value());
}

}  // namespace
}  // namespace inkling
