// Records that are JSON: what all parsers of JSON in lines have in common.
#pragma once

#include <cstddef>
#include <string_view>
#include <variant>

#include <simdjson.h>

#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/text/padded_text.hpp"

namespace inkling {

/// Only white space, which is not a record.
[[nodiscard]] bool is_blank_record(std::string_view line);

/// "an array", "a number": as messages name what they found.
[[nodiscard]] std::string_view json_kind_name(simdjson::dom::element_type type);
/// The same for a value; "a number that is too large" for one that the parser replaced.
[[nodiscard]] std::string_view json_kind_name(simdjson::dom::element value);

/// Reads one object after the other, without recursion. In place of a number that is too large for 64 bits or for a
/// double is an object whose only key is `kTooLargeNumber`, so that it is an error only where its value is used.
/// Thread safety: one thread at a time.
inline constexpr std::string_view kTooLargeNumber{"\0", 1};

class JsonObjectParser {
 public:
  JsonObjectParser();

  /// The text as an object, valid until the next call; or why it is not an object, and where. Requires: valid UTF-8,
  /// padded (`kTextPadding`).
  [[nodiscard]] std::variant<simdjson::dom::object, RecordProblem> parse(std::string_view json);

 private:
  simdjson::dom::parser parser_;
  PaddedText without_large_numbers_;
};

}  // namespace inkling
