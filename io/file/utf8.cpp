#include "io/file/utf8.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <simdjson.h>

namespace inkling {

std::size_t utf8_character_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  const auto length = static_cast<std::size_t>(std::countl_one(lead));
  const bool is_character = length <= text.size() && simdjson::validate_utf8(text.data(), length);
  return is_character ? length : 0;
}

std::size_t utf8_count(std::string_view text) {
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(std::max<std::size_t>(utf8_character_length(text), 1));
    ++count;
  }
  return count;
}

std::string utf8_shortened(std::string_view text, std::size_t most) {
  if (utf8_count(text) <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t kept = 1; kept < most; ++kept) {
    end += std::max<std::size_t>(utf8_character_length(text.substr(end)), 1);
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string quoted_text(std::string_view text) {
  constexpr std::size_t most_shown = 40;
  std::string shown = "\"";
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == most_shown) {
      shown += "…";
      break;
    }
    const std::size_t length = utf8_character_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0 || (length == 1 && (byte < 0x20 || byte == 0x7F)))
      shown += fmt::format("\\x{:02X}", byte);
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown + "\"";
}

}  // namespace inkling
