#include "io/doors/screen/page.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/digit_groups.hpp"

namespace inkling {
namespace {

StyledLine line_between(const Page& page, PageSize size, std::size_t first, std::size_t rows) {
  const std::size_t total = page.body.size();
  std::string said;
  if (total > rows) {
    const std::size_t last = std::min(first + rows, total);
    said = fmt::format(" lines {} to {} of {}{} ", digit_groups(first + 1), digit_groups(last), digit_groups(total),
                       last < total ? ", space for more" : "");
  }
  const std::size_t columns = text_columns(size);
  std::string rule;
  for (std::size_t n = said.size(); n < columns; ++n) rule += "─";
  return {{rule + said, Look::quiet}};
}

}  // namespace

std::size_t body_rows(const Page& page, PageSize size) {
  const std::size_t others = page.top.size() + 1 + page.bottom.size();
  return size.rows > others ? size.rows - others : 1;
}

std::size_t first_shown(const Page& page, PageSize size, std::size_t wanted) {
  const std::size_t rows = body_rows(page, size);
  const std::size_t last_first = page.body.size() > rows ? page.body.size() - rows : 0;
  std::size_t first = std::min(wanted, last_first);
  if (page.chosen) {
    if (*page.chosen < first) first = *page.chosen;
    if (*page.chosen >= first + rows) first = *page.chosen - rows + 1;
  }
  return first;
}

std::vector<StyledLine> framed(const Page& page, PageSize size, std::size_t first) {
  const std::size_t rows = body_rows(page, size);
  std::vector<StyledLine> lines = page.top;
  const std::size_t begin = std::min(first, page.body.size());
  const std::size_t end = std::min(begin + rows, page.body.size());
  for (std::size_t n = begin; n < end; ++n) lines.push_back(page.body[n]);
  lines.push_back(line_between(page, size, begin, rows));
  lines.insert(lines.end(), page.bottom.begin(), page.bottom.end());
  if (lines.size() > size.rows) lines.resize(size.rows);
  for (StyledLine& line : lines) line = cut_line(line, size.columns);
  return lines;
}

std::string frame_bytes(const std::vector<StyledLine>& lines, Styling styling) {
  std::string bytes = "\x1b[H";
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (n > 0) bytes += "\r\n";
    bytes += rendered(lines[n], styling) + "\x1b[K";
  }
  return bytes + "\x1b[J";
}

std::vector<StyledLine> paragraph(std::string_view text, std::size_t columns, Look look) {
  const StyledPiece piece = {std::string(text), look};
  return wrapped_lines(std::span(&piece, 1), columns);
}

std::vector<StyledLine> key_hints(std::initializer_list<std::string_view> hints, std::size_t columns) {
  std::vector<StyledLine> lines;
  std::string line;
  for (const std::string_view hint : hints) {
    if (!line.empty() && columns_of(line) + 2 + columns_of(hint) > columns)
      lines.push_back({{std::exchange(line, {}), Look::quiet}});
    line += line.empty() ? "" : "  ";
    line += hint;
  }
  lines.push_back({{std::move(line), Look::quiet}});
  return lines;
}

void append_lines(std::vector<StyledLine>& lines, std::vector<StyledLine> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace inkling
