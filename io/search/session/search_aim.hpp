// What a person looks for in their own words, and when they mean to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/base/file/json_writer.hpp"

namespace inkling {

/// A rule for stopping is met if all members that are given hold. Requires: at least one is given.
struct StopRule {
  std::optional<std::int64_t> rated = {};         ///< at least this many are rated
  std::optional<std::int64_t> good = {};          ///< at least this many good ones are found
  std::optional<std::int64_t> left_at_most = {};  ///< `GoodLeft::at_most` is at most this
  std::optional<std::int64_t> without_good = {};  ///< the last ratings, at least this many, were not good

  bool operator==(const StopRule&) const = default;
};

struct RuleMember {
  std::string_view name;
  std::string_view short_name;  ///< as a person types it
  std::optional<std::int64_t> StopRule::*place;
  std::int64_t least;
};
inline constexpr RuleMember kRuleMembers[] = {{"rated", "rated", &StopRule::rated, 1},
                                              {"good", "good", &StopRule::good, 1},
                                              {"left_at_most", "left", &StopRule::left_at_most, 0},
                                              {"without_good", "without", &StopRule::without_good, 1}};
inline constexpr std::int64_t kLargestOfRule = 1'000'000'000;

struct SearchAim {
  std::string question = {};
  std::optional<StopRule> rule = {};
  /// The names of those who share the search with its owner, who is not named; empty if it is not shared.
  std::vector<std::string> shared = {};
  /// Documents that pairs of readers have (`ReadingSet`), ascending: nobody is offered them or answers them here until the pair
  /// has.
  std::vector<DocumentId> withheld = {};
  /// Where documents are handed to this reader as a search learns (`ReadingSet::grows`): those without both answers, in order.
  std::vector<DocumentId> set = {};

  bool operator==(const SearchAim&) const = default;
};

/// An object with the members that are given, or null.
void write_rule(JsonWriter& json, const std::optional<StopRule>& rule);

}  // namespace inkling
