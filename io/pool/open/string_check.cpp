#include "io/pool/open/string_check.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "io/file/corrupt_file_error.hpp"
#include "io/file/digit_groups.hpp"
#include "io/pool/open/layout_check.hpp"
#include "io/pool/open/parallel_search.hpp"

namespace inkling {
namespace {

constexpr std::size_t piece_of_text = std::size_t{1} << 20U;
constexpr std::size_t piece_of_strings = std::size_t{1} << 17U;

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// The next position at which a character may begin; a character has at most three more bytes.
std::size_t character_at(std::string_view text, std::size_t position) {
  const std::size_t most = std::min(position + 3, text.size());
  while (position < most && continues_character(text[position])) ++position;
  return position;
}

void check_utf8(const std::string& path, std::string_view text, const PieceChecked& checked) {
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    const std::size_t from = begin == 0 ? 0 : character_at(text, begin);
    const std::string_view piece = text.substr(from, std::max(character_at(text, end), from) - from);
    const bool valid = simdjson::validate_utf8(piece);
    checked(std::as_bytes(std::span(text.substr(begin, end - begin))));
    return !valid;
  };
  if (const std::optional<std::size_t> wrong = first_wrong_range(text.size(), piece_of_text, is_wrong)) {
    throw CorruptFileError(path, fmt::format("expected UTF-8 in the bytes from {} on", digit_groups(*wrong)));
  }
}

}  // namespace

void check_strings(const std::string& bytes_path, std::string_view bytes, const std::string& offsets_path,
                   std::span<const std::int64_t> offsets, const PieceChecked& checked) {
  check_offsets(offsets_path, offsets, bytes.size(), checked);
  check_utf8(bytes_path, bytes, checked);
  // Where the whole is UTF-8, each string is if none begins within a character.
  const auto is_cut_at = [&](std::size_t row) {
    const auto begin = static_cast<std::size_t>(offsets[row]);
    return begin < bytes.size() && continues_character(bytes[begin]);
  };
  const auto is_wrong = [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      if (is_cut_at(row)) return true;
    }
    return false;
  };
  if (first_wrong_range(offsets.size(), piece_of_strings, is_wrong)) {
    throw CorruptFileError(offsets_path, "expected no string to begin within a character");
  }
}

std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text,
                                        const PieceChecked& checked) {
  if (!text.empty() && text.back() != '\n')
    throw CorruptFileError(path, "expected a line end after the last line");
  check_utf8(path, text, checked);
  std::vector<std::int64_t> offsets = {0};
  std::string_view previous;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = text.substr(begin, end - begin);
    if (begin > 0 && line <= previous) {
      throw CorruptFileError(fmt::format("{}:{}", path, offsets.size()),
                             "expected lines to ascend, each once");
    }
    previous = line;
    begin = end + 1;
    offsets.push_back(static_cast<std::int64_t>(begin));
  }
  return offsets;
}

}  // namespace inkling
