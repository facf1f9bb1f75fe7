#include "io/corpus/text/flowed_text.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "io/corpus/text/decoding.hpp"

namespace inkling {
namespace {

constexpr std::size_t kShortestWrap = 50;  // characters: shorter lines are verse or a list
constexpr std::size_t kLongestWrap = 100;

struct Line {
  std::string_view text;  // without its end
  std::size_t end;        // where the line end is
};

bool is_ascii_character(char c) { return static_cast<unsigned char>(c) < 0x80U; }

// The number of characters. Bytes that are not UTF-8 count, too, unless they look like the rest of a character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// "1.", "(2)", "a)", "- ", "* ": the beginning of an item.
bool begins_item(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || line.starts_with("\xE2\x80\xA2")) return true;
  if (line.starts_with('(')) line.remove_prefix(1);
  std::size_t at = 0;
  while (at < line.size() && is_ascii_digit(line[at])) ++at;
  if (at == 0 && !line.empty() && is_ascii_letter(line[0])) at = 1;
  return at > 0 && at <= 3 && at < line.size() && (line[at] == ')' || (line[at] == '.' && is_ascii_digit(line[0]))) &&
         (at + 1 == line.size() || line[at + 1] == ' ');
}

// "From: ", "Subject: "
bool begins_head(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon > 0 && colon <= 20 &&
         std::ranges::all_of(line.substr(0, colon), [](char c) { return is_ascii_letter(c) || c == '-'; });
}

// Whether the line looks like code or a table: it has two blanks that follow no end of a sentence, a tab, or an end
// that prose does not have.
bool looks_set(std::string_view line) {
  constexpr std::string_view ends_of_code = ";{}\\|";
  if (line.find('\t') != std::string_view::npos || ends_of_code.find(line.back()) != std::string_view::npos) return true;
  constexpr std::string_view ends_of_sentence = ".!?:\"')";
  for (std::size_t at = line.find("  "); at != std::string_view::npos; at = line.find("  ", at + 2))
    if (at > 0 && at + 2 < line.size() && ends_of_sentence.find(line[at - 1]) == std::string_view::npos) return true;
  return false;
}

bool is_prose(std::string_view line) {
  constexpr std::string_view signs = " \t>|#=_~:/";
  return !line.empty() && signs.find(line.front()) == std::string_view::npos && !looks_set(line);
}

bool is_wrapped_after(std::string_view line, std::string_view next, std::size_t longest) {
  if (!is_prose(line) || !is_prose(next) || begins_item(next) || begins_head(next) || begins_head(line)) return false;
  if (!is_ascii_character(line.back()) && !is_ascii_character(next.front())) return false;  // words without blanks
  const std::size_t width = width_of(line);
  const std::size_t first_word = width_of(next.substr(0, next.find(' ')));
  return width <= kLongestWrap && width + 1 + first_word > longest;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    lines.push_back({line, end});
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string flowed_text(std::string_view text) {
  std::string flowed(text);
  const std::vector<Line> lines = lines_of(text);
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin;
    std::size_t longest = 0;
    for (; end < lines.size() && !lines[end].text.empty(); ++end)
      if (const std::size_t width = width_of(lines[end].text); width <= kLongestWrap) longest = std::max(longest, width);
    for (std::size_t n = begin; longest >= kShortestWrap && n + 1 < end; ++n) {
      if (!is_wrapped_after(lines[n].text, lines[n + 1].text, longest)) continue;
      flowed[lines[n].end] = ' ';
      if (lines[n].end > 0 && flowed[lines[n].end - 1] == '\r') flowed[lines[n].end - 1] = ' ';
    }
    begin = end + 1;
  }
  return flowed;
}

}  // namespace inkling
