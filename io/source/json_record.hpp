// Records that are JSON: what all parsers of JSON in lines have in common.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include <simdjson.h>

#include "io/source/record_parser.hpp"

namespace inkling {

/// Objects and arrays in one another; deeper ones are refused.
inline constexpr std::size_t kDeepestJson = 256;

/// Only white space, which is not a record.
[[nodiscard]] bool is_blank_record(std::string_view line);

/// "an array", "a number": as messages name what they found.
[[nodiscard]] std::string_view json_kind_name(simdjson::dom::element_type type);

/// Reads one object after the other; nothing recurses. Thread safety: one thread at a time.
class JsonObjectParser {
 public:
  JsonObjectParser();

  /// The object that the text is, valid until the next call, or why it
  /// is not one. Requires: padded (`kTextPadding`).
  [[nodiscard]] std::variant<simdjson::dom::object, RecordProblem> parse(std::string_view json);

 private:
  simdjson::dom::parser parser_;
};

}  // namespace inkling
