#include "engine/policy/feature_scope.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

using Scope = FeatureScope::Kind;

FeatureScope scope_of(Scope kind, std::int64_t first_rounds = 0) {
  return {.kind = kind, .first_rounds = first_rounds, .given = {}};
}

FeatureScope given(std::vector<FeatureId> features) {
  return {.kind = Scope::given, .first_rounds = 0, .given = std::move(features)};
}

TEST_CASE("only the scopes of all and of given features have features at the start") {
  CHECK(scope_of(Scope::none).at_start(3).empty());
  CHECK(scope_of(Scope::marked).at_start(3).empty());
  CHECK(scope_of(Scope::marked_in_first_rounds, 5).at_start(3).empty());
  CHECK(scope_of(Scope::all).at_start(3) == std::vector<FeatureId>{0, 1, 2});
  CHECK(given({2, 0}).at_start(3) == std::vector<FeatureId>{2, 0});
  CHECK(given({}).at_start(3).empty());
}

TEST_CASE("given features that do not fit the pool are refused") {
  CHECK_THROWS_WITH_AS((void)given({0, 3}).at_start(3), "the given features: expected features from 0 to 2, got 3", FormatError);
  CHECK_THROWS_WITH_AS((void)given({0, -1}).at_start(3), "the given features: expected features from 0 to 2, got -1",
                       FormatError);
  CHECK_THROWS_WITH_AS((void)given({1, 0, 1}).at_start(3), "the given features: expected each once, got 1 twice", FormatError);
}

TEST_CASE("the scope of all features holds every feature of a pool of any width") {
  const std::vector<FeatureId> all = scope_of(Scope::all).at_start(50'000);
  CHECK(all.size() == 50'000);
  CHECK(all.back() == 49'999);
}

TEST_CASE("marks come into use where the scope says so") {
  CHECK_FALSE(scope_of(Scope::none).accepts_mark(1));
  CHECK_FALSE(scope_of(Scope::all).accepts_mark(1));
  CHECK_FALSE(given({0}).accepts_mark(1));
  CHECK(scope_of(Scope::marked).accepts_mark(1'000'000));
  const FeatureScope early = scope_of(Scope::marked_in_first_rounds, 4);
  CHECK(early.accepts_mark(4));
  CHECK_FALSE(early.accepts_mark(5));
}

}  // namespace
}  // namespace inkling
