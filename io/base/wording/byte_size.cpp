#include "io/base/wording/byte_size.hpp"

#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace inkling {
namespace {

constexpr std::string_view kByteUnits = "KMGT";
constexpr unsigned kBitsOfUnit = 10;

}  // namespace

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) {
    const std::size_t unit = kByteUnits.find(text.back());
    if (unit != std::string_view::npos) {
      shift = kBitsOfUnit * static_cast<unsigned>(unit + 1);
      text.remove_suffix(1);
    }
  }
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || stopped != end) return std::nullopt;
  if (count > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return count << shift;
}

std::string byte_size_text(std::uint64_t bytes) {
  unsigned shift = 0;
  std::string unit;
  for (const char larger : kByteUnits) {
    if (bytes >> shift < 1024) break;
    shift += kBitsOfUnit;
    unit = larger;
  }
  const std::uint64_t whole = bytes >> shift;
  const std::uint64_t rest = bytes - (whole << shift);
  if (rest == 0) return fmt::format("{}{}", whole, unit);
  // Rounded down, so that 1023.99K does not become 1024.0K.
  const std::uint64_t tenth = ((rest >> (shift - kBitsOfUnit)) * 10) >> kBitsOfUnit;
  return fmt::format("{}.{}{}", whole, tenth, unit);
}

}  // namespace inkling
