// Events for tests: a small vocabulary for them, and functions that read them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/core/errors.hpp"
#include "io/session/events.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling::test {

inline constexpr std::array<std::string_view, 4> small_vocabulary = {"apple", "bread", "café", "soil"};

/// Ten documents over the small vocabulary.
[[nodiscard]] inline EventScope small_scope() {
  return {.documents = 10,
          .features = static_cast<std::int32_t>(small_vocabulary.size()),
          .feature_of = [](std::string_view word) -> std::optional<FeatureId> {
            const auto* const found = std::ranges::find(small_vocabulary, word);
            if (found == small_vocabulary.end()) return std::nullopt;
            return static_cast<FeatureId>(found - small_vocabulary.begin());
          }};
}

/// The events of a text in the file "in", or the message of the first bad one.
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
