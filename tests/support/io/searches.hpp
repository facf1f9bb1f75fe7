// What tests of searches share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"
#include "engine/policy/policy_state.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling::test {

/// The presets that a search can choose with.
[[nodiscard]] inline std::vector<Preset> presets_to_search_with() {
  std::vector<Preset> searching;
  for (const Preset& preset : presets())
    if (can_search_with(preset)) searching.push_back(preset);
  return searching;
}

/// Keeps events in memory instead of a log. Lifetime: the keeper lends this object.
struct KeptEvents {
  std::vector<SearchEvent> events = {};

  [[nodiscard]] KeepEvents keeper() {
    return [this](std::span<const SearchEvent> more) { events.insert(events.end(), more.begin(), more.end()); };
  }
};

/// The policy draws as a search with this seed draws in this round.
inline void begin_round(Policy& policy, std::uint64_t seed, std::uint64_t round) {
  policy.set_state({policy.state().clock, RandomStream(seed, round, RandomRole::exploration),
                    RandomStream(seed, round, RandomRole::sampling)});
}

inline void check_same_progress(const SearchProgress& left, const SearchProgress& right) {
  REQUIRE(left.documents == right.documents);
  REQUIRE(left.rated == right.rated);
  REQUIRE(left.good == right.good);
  REQUIRE(left.waiting == right.waiting);
  REQUIRE(left.sample_left == right.sample_left);
  REQUIRE(left.left.about == right.left.about);
  REQUIRE(left.left.at_most == right.left.at_most);
  REQUIRE(left.left.draws == right.left.draws);
}

}  // namespace inkling::test
