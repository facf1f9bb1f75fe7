// A page of the screen: its top, the body, which can be scrolled, and its bottom.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/doors/screen/styled_text.hpp"

namespace inkling {

/// Lines of a text longer than this are hard to read.
inline constexpr std::size_t kTextColumns = 78;

struct PageSize {
  std::size_t columns = 80;
  std::size_t rows = 24;

  bool operator==(const PageSize&) const = default;
};

/// In how many columns a page of this size shows its text.
[[nodiscard]] constexpr std::size_t text_columns(PageSize size) {
  constexpr std::size_t least = 20;
  return size.columns < least ? least : size.columns > kTextColumns ? kTextColumns : size.columns;
}

struct Page {
  std::vector<StyledLine> top = {};
  std::vector<StyledLine> body = {};
  std::vector<StyledLine> bottom = {};
  std::optional<std::size_t> chosen = {};  ///< the line of the body that must stay in view
};

/// How many lines of the body a page of this size shows; at least 1.
[[nodiscard]] std::size_t body_rows(const Page& page, PageSize size);

/// The first line of the body to show: as near to `wanted` as possible, with no empty rows and with the chosen line in view.
[[nodiscard]] std::size_t first_shown(const Page& page, PageSize size, std::size_t wanted);

/// The lines of a screen of that size, at most as many as it has rows, each cut to its columns. The line between body
/// and bottom says which part of the body is shown. Thread safety: pure.
[[nodiscard]] std::vector<StyledLine> framed(const Page& page, PageSize size, std::size_t first);

/// The bytes that show these lines on a screen that showed other ones.
[[nodiscard]] std::string frame_bytes(const std::vector<StyledLine>& lines, Styling styling);

/// A text cut into lines of one look. Requires: columns >= 2.
[[nodiscard]] std::vector<StyledLine> paragraph(std::string_view text, std::size_t columns, Look look = Look::plain);

/// Key hints ("y yes", "q quit") in rows; a hint is never split across lines.
[[nodiscard]] std::vector<StyledLine> key_hints(std::initializer_list<std::string_view> hints, std::size_t columns);

/// Appends the lines of the other.
void append_lines(std::vector<StyledLine>& lines, std::vector<StyledLine> more);

}  // namespace inkling
