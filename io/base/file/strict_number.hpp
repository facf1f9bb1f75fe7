// Reads numbers from text by one strict rule, so that every input path refuses the same things.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace inkling {

/// The whole text as a decimal integer ("-12"), or nothing: for empty text, spaces, a leading '+', a point,
/// an exponent, trailing characters, or a value that does not fit. "-0" is 0.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);

/// The whole text as a finite decimal number ("0.5", "1e-3", "7"), or nothing: for empty text, spaces, a
/// leading '+', NaN, infinity, hexadecimal, a decimal comma, trailing characters, or a value outside the range of
/// double (1e999, and 1e-999 too). "-0" is 0, without its sign.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

}  // namespace inkling
