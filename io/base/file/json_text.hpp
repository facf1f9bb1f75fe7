// Whether a text is JSON, where it stops being so, and what its values are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace inkling {

/// What keeps a text from being JSON, and where the first byte of that is.
struct JsonFault {
  std::size_t position = 0;
  std::string expectation;
};

/// Objects and arrays in one another; deeper ones are refused.
inline constexpr std::size_t kDeepestLine = 256;

/// Nothing where the text is one JSON value (RFC 8259), with white space around it or not. Numbers may be of any
/// size, because whoever uses one checks it. Bytes that are not UTF-8 are not looked at. Thread safety: pure.
[[nodiscard]] std::optional<JsonFault> json_fault(std::string_view text);

enum class JsonKind { object, array, string, number, boolean, null };

/// Requires (here and below): a value as it is written in a text without fault.
[[nodiscard]] JsonKind json_kind(std::string_view value);

/// "an object", "a number": as messages name what they found.
[[nodiscard]] std::string_view kind_text(JsonKind kind);

/// The characters of a string. Requires: JsonKind::string.
[[nodiscard]] std::string string_of_json(std::string_view value);

}  // namespace inkling
