// The members of an object in a line of events, and what is wrong with them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/base/file/json_places.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {

/// A member that an object may have. Lifetime: lends the place of its value.
struct KnownMember {
  std::string_view name;
  std::optional<JsonPiece>* value;
};

/// Sets the values of the members that the object has, or says which member is unknown or repeated. Requires: an object.
[[nodiscard]] RecordVerdict take_members(const JsonPiece& object, std::span<const KnownMember> known);

/// "EXPECTATION, found VALUE", at the place of the value.
[[nodiscard]] RecordProblem problem_of(const JsonPiece& value, const std::string& expectation);

/// "a feature from 0 to 99"
[[nodiscard]] std::string range_text(std::string_view what, std::int64_t count);

/// Nothing where the value is no number.
[[nodiscard]] std::optional<double> real_of(const JsonPiece& value);

/// A whole number from 0 to count - 1; nothing where the value is something else.
[[nodiscard]] std::optional<std::int64_t> index_of(const JsonPiece& value, std::int64_t count);

/// Each sets the number, or says what is wrong with what was written.
[[nodiscard]] RecordVerdict take_reward(const std::optional<JsonPiece>& written, double& reward);
[[nodiscard]] RecordVerdict take_confidence(const JsonPiece& written, double& confidence);

}  // namespace inkling
