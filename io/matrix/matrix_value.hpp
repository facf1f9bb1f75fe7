// The one rule by which values of ready-made matrices are taken, in every format.
#pragma once

#include <optional>
#include <string_view>

namespace inkling {

/// A value is kept as float32. Zero is a value, with or without a sign; everything else must be finite, and
/// neither too large nor too small for all of float32's digits (the smallest magnitude is 1.17549435e-38).
inline constexpr std::string_view matrix_value_rule =
    "expected a finite decimal number within the range of float32";

/// Reads the value that the text begins with into `value` and returns its end; nullptr where it begins with
/// none, or with one against the rule: NaN, infinity, a leading '+'. Hexadecimal digits, decimal commas and
/// the like end the number, so that the caller finds what does not belong there.
[[nodiscard]] const char* read_matrix_value(const char* begin, const char* end, float& value);

/// The whole text as a value, or nothing.
[[nodiscard]] std::optional<float> parse_matrix_value(std::string_view text);

/// A number of another program's array as a value, or nothing where it is against the rule.
[[nodiscard]] std::optional<float> matrix_value(double number);

}  // namespace inkling
