#include "io/doors/screen/styled_text.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <unicode/uchar.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::string_view kTabAsSpaces = "    ";

// One character, or what is shown for one that a terminal may not get.
struct ShownCharacter {
  std::string text;
  Look look = Look::plain;
  std::size_t columns = 0;
};

std::size_t columns_of_point(char32_t point) {
  constexpr char32_t after_ascii = 0x80;
  constexpr char32_t soft_hyphen = 0xAD;
  if (point < after_ascii || point == soft_hyphen) return 1;
  const auto character = static_cast<UChar32>(point);
  const std::uint32_t takes_none = U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK;
  if ((U_GET_GC_MASK(character) & takes_none) != 0) return 0;
  const int width = u_getIntPropertyValue(character, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

// Takes the first character off the text; a byte that is part of none is one of its own.
std::string_view take_character(std::string_view& text) {
  const std::string_view first = text.substr(0, std::max<std::size_t>(utf8_character_length(text), 1));
  text.remove_prefix(first.size());
  return first;
}

void append_piece(StyledLine& line, std::string_view text, Look look) {
  if (line.empty() || line.back().look != look)
    line.push_back({std::string(text), look});
  else
    line.back().text += text;
}

// Fills lines with words. A word keeps the spaces before it, unless it begins a line that was cut.
class LineFiller {
 public:
  explicit LineFiller(std::size_t columns) : columns_(columns) {}

  void add(std::string_view text, Look look) {
    const bool is_space = text == " ";
    if (is_space && word_.size() > spaces_) place_word();
    word_.push_back({std::string(text), look, columns_of(text)});
    word_columns_ += word_.back().columns;
    if (is_space) ++spaces_;
  }

  void end_line() {
    place_word();
    cut();
  }

  [[nodiscard]] bool line_is_open() const { return !line_.empty() || !word_.empty(); }
  [[nodiscard]] std::vector<StyledLine> take() { return std::move(lines_); }

 private:
  void place_word() {
    std::size_t first = 0;
    if (used_ > 0 && word_columns_ > columns_ - used_) {
      if (word_.size() > spaces_) cut();
      first = spaces_;
    }
    for (const ShownCharacter& one : std::span(word_).subspan(first)) {
      if (used_ > 0 && one.columns > columns_ - used_) cut();
      append_piece(line_, one.text, one.look);
      used_ = std::min(columns_, used_ + one.columns);
    }
    word_.clear();
    word_columns_ = spaces_ = 0;
  }

  void cut() {
    lines_.push_back(std::exchange(line_, {}));
    used_ = 0;
  }

  std::size_t columns_;
  std::vector<StyledLine> lines_;
  StyledLine line_;
  std::size_t used_ = 0;
  std::vector<ShownCharacter> word_;  // with the spaces before it
  std::size_t word_columns_ = 0;
  std::size_t spaces_ = 0;
};

std::string_view code_of(Look look, Styling styling) {
  const bool coloured = styling == Styling::colours;
  switch (look) {
    case Look::plain: return "";
    case Look::heading: return "1";
    case Look::quiet: return "2";
    case Look::warning: return coloured ? "1;31" : "1";
    case Look::chosen: return "7";
    case Look::speaks_for: return coloured ? "4;32" : "4";
    case Look::speaks_against: return coloured ? "3;31" : "3";
    case Look::marked_for: return coloured ? "1;4;32" : "1;4";
    case Look::marked_against: return coloured ? "1;3;31" : "1;3";
  }
  return "";
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::string_view first = take_character(text);
    columns += utf8_character_length(first) == 0 ? 1 : columns_of_point(code_point(first));
  }
  return columns;
}

std::vector<StyledLine> wrapped_lines(std::span<const StyledPiece> text, std::size_t columns) {
  LineFiller filler(columns);
  bool after_return = false;  // a '\r' is part of the line end that follows it, and shown where none follows
  const auto show_return = [&](Look look) {
    if (std::exchange(after_return, false))
      for (const char c : std::string_view("\\x0D")) filler.add(std::string_view(&c, 1), look);
  };
  for (const StyledPiece& piece : text) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::string_view first = take_character(rest);
      if (first == "\n") {
        after_return = false;
        filler.end_line();
        continue;
      }
      show_return(piece.look);
      after_return = first == "\r";
      if (after_return) continue;
      const std::string shown = first == "\t" ? std::string(kTabAsSpaces) : visible_text(first);
      for (std::string_view left = shown; !left.empty();) filler.add(take_character(left), piece.look);
    }
  }
  after_return = false;
  if (filler.line_is_open()) filler.end_line();
  return filler.take();
}

std::vector<StyledLine> wrapped_lines(std::string_view text, std::size_t columns) {
  const StyledPiece piece = {std::string(text)};
  return wrapped_lines(std::span(&piece, 1), columns);
}

StyledLine cut_line(const StyledLine& line, std::size_t columns) {
  StyledLine kept;
  for (const StyledPiece& piece : line) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::string_view first = take_character(rest);
      const std::size_t width = columns_of(first);
      if (width > columns) return kept;
      columns -= width;
      append_piece(kept, first, piece.look);
    }
  }
  return kept;
}

std::string plain_text(const StyledLine& line) {
  std::string text;
  for (const StyledPiece& piece : line) text += piece.text;
  return text;
}

std::string rendered(const StyledLine& line, Styling styling) {
  std::string text;
  for (const StyledPiece& piece : line) {
    const std::string_view code = code_of(piece.look, styling);
    if (styling == Styling::none || code.empty())
      text += piece.text;
    else
      text.append("\x1b[").append(code).append("m").append(piece.text).append("\x1b[0m");
  }
  return text;
}

}  // namespace inkling
