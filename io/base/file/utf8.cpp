#include "io/base/file/utf8.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

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
  for (std::size_t kept = 1; kept < most; ++kept) end += std::max<std::size_t>(utf8_character_length(text.substr(end)), 1);
  return std::string(text.substr(0, end)) + "…";
}

char32_t code_point(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  char32_t point = lead & (0x7FU >> character.size());
  for (const char byte : character.substr(1)) point = (point << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  return point;
}

void append_character(char32_t point, std::string& out) {
  constexpr char32_t replacement = 0xFFFD;
  if (point == 0 || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) point = replacement;
  const unsigned more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr unsigned begins[] = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(begins[more] | point >> (6 * more));
  for (unsigned left = more; left > 0; --left) out += static_cast<char>(0x80U | (point >> (6 * (left - 1)) & 0x3FU));
}

bool acts_on_terminal(char32_t point) {
  if (point >= 0x20 && point < 0x7F) return false;
  constexpr std::pair<char32_t, char32_t> ranges[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x61C, 0x61C},  // controls
                                                      {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFFF9, 0xFFFB}};
  return std::ranges::any_of(ranges, [&](const auto& range) { return point >= range.first && point <= range.second; });
}

std::string visible_text(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(character.size());
    const auto byte = static_cast<unsigned char>(character.front());
    if (length == 0 || (length == 1 && acts_on_terminal(byte)))
      shown += fmt::format("\\x{:02X}", byte);
    else if (const char32_t point = code_point(character); acts_on_terminal(point))
      shown += fmt::format("\\u{{{:04X}}}", static_cast<std::uint32_t>(point));
    else
      shown += character;
  }
  return shown;
}

std::string quoted_text(std::string_view text) {
  constexpr std::size_t most_shown = 41;
  return "\"" + visible_text(utf8_shortened(text, most_shown)) + "\"";
}

std::string ascii_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

}  // namespace inkling
