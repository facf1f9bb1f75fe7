#include "io/text/stop_words.hpp"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/utf8.hpp"

namespace inkling {
namespace {

std::string_view without_spaces_around(std::string_view text) {
  constexpr std::string_view spaces = " \t\r";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

void check_word(std::string_view word, const std::string& path, std::int64_t line) {
  for (std::string_view left = word; !left.empty();) {
    const std::size_t length = utf8_character_length(left);
    if (length == 0) throw FormatError(fmt::format("{}:{}", path, line), "expected UTF-8");
    left.remove_prefix(length);
  }
}

}  // namespace

std::vector<std::string> read_word_list(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw SystemError(path, errno, "cannot read");
  std::vector<std::string> words;
  std::string text;
  for (std::int64_t line = 1; std::getline(file, text); ++line) {
    const std::string_view word = without_spaces_around(text);
    if (word.empty() || word.starts_with('#')) continue;
    check_word(word, path, line);
    words.emplace_back(word);
  }
  if (file.bad()) throw SystemError(path, errno, "cannot read");
  return words;
}

}  // namespace inkling
