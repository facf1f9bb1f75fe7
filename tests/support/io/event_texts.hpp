// Events for tests: a small vocabulary for them, and functions that read them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/errors.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/search/events/events.hpp"

namespace inkling::test {

inline constexpr std::array<std::string_view, 4> small_vocabulary = {"apple", "bread", "café", "soil"};

/// The ids of ten documents; the last two have the same id.
inline constexpr std::array<std::string_view, 10> small_ids = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "twin", "twin"};

/// Ten documents over the small vocabulary.
[[nodiscard]] inline EventScope small_scope() {
  EventScope scope = {.documents = std::ssize(small_ids), .features = static_cast<std::int32_t>(small_vocabulary.size())};
  scope.feature_of = [](std::string_view word) -> std::optional<FeatureId> {
    const auto* const found = std::ranges::find(small_vocabulary, word);
    if (found == small_vocabulary.end()) return std::nullopt;
    return static_cast<FeatureId>(found - small_vocabulary.begin());
  };
  scope.advice_for = [](std::string_view word) { return word == "Soil" ? std::string("\"soil\" is in it") : std::string(); };
  scope.rows_of_ids = [](std::span<const std::string> ids) {
    std::vector<RowsOfId> rows(ids.size());
    for (std::size_t n = 0; n < ids.size(); ++n) {
      for (std::size_t row = 0; row < small_ids.size(); ++row) {
        if (small_ids[row] != ids[n]) continue;
        (rows[n].first ? rows[n].second : rows[n].first) = static_cast<std::int64_t>(row);
      }
    }
    return rows;
  };
  scope.fingerprint = "0123456789abcdef";
  return scope;
}

/// The events of a text that is read as the file "in", or the message about the first bad event.
struct ReadEvents {
  EventLog log = {};
  std::string problem = {};
};

[[nodiscard]] inline ReadEvents events_in(std::string_view text, const EventRules& rules = {},
                                          const EventScope& scope = small_scope()) {
  MemoryStream stream(text);
  try {
    return {.log = read_events(stream, "in", scope, rules), .problem = {}};
  } catch (const FormatError& error) {
    return {.log = {}, .problem = error.what()};
  }
}

}  // namespace inkling::test
