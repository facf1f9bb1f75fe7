#include "io/file/utf8.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace inkling {
namespace {

// The bytes that may follow a lead byte directly, and how long the character is; length 0 for a byte that
// leads none.
struct Lead {
  std::size_t length;
  unsigned char second_min;
  unsigned char second_max;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

std::size_t utf8_character_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Lead lead = lead_of(byte(0));
  if (lead.length <= 1) return lead.length;
  if (text.size() < lead.length || byte(1) < lead.second_min || byte(1) > lead.second_max) return 0;
  for (std::size_t i = 2; i < lead.length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return lead.length;
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
