// What a person looks for in own words, and when the person means to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/file/json_writer.hpp"
#include "io/search/session/searcher.hpp"

namespace inkling {

/// All that is given must hold; one without any member is never given.
struct StopRule {
  std::optional<std::int64_t> rated = {};         ///< at least so many are rated
  std::optional<std::int64_t> good = {};          ///< at least so many good ones are found
  std::optional<std::int64_t> left_at_most = {};  ///< `GoodLeft::at_most` is at most this
  std::optional<std::int64_t> without_good = {};  ///< the last so many ratings were not good

  bool operator==(const StopRule&) const = default;
};

struct SearchAim {
  std::string question = {};
  std::optional<StopRule> rule = {};

  bool operator==(const SearchAim&) const = default;
};

/// An object with the members of StopRule that are given. Throws HttpRefusal (422).
[[nodiscard]] StopRule read_rule(std::string_view written);
void write_rule(JsonWriter& json, const std::optional<StopRule>& rule);

/// Whether the search has come that far.
[[nodiscard]] bool is_reached(const StopRule& rule, const SearchProgress& progress,
                              const SearchHistory& history);

/// The aim is kept in the log as a note of this text, so that a search is all in its log.
[[nodiscard]] std::string note_of_aim(const SearchAim& aim);
/// What such a note says; nothing of any other note. Thread safety: pure.
[[nodiscard]] std::optional<SearchAim> aim_in_note(std::string_view note);

}  // namespace inkling
