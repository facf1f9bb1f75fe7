#include "io/base/file/strict_number.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace inkling {
namespace {

// Reads `number`; true if the whole text is one number.
template <typename Number>
bool read_whole(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  if (!read_whole(text, number)) return std::nullopt;
  return number;
}

std::optional<double> parse_real(std::string_view text) {
  double number = 0;
  if (!read_whole(text, number) || !std::isfinite(number)) return std::nullopt;
  return number + 0.0;  // -0 + 0 is 0
}

}  // namespace inkling
