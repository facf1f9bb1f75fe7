#include "io/corpus/sheets/sheet_table.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/csv_cell.hpp"
#include "io/corpus/sheets/workbook_writer.hpp"

namespace inkling {
namespace {

// The date that is `days` days after 1970-01-01. The calendar repeats every 400 years.
std::string iso_day(std::int64_t days) {
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const std::int64_t day = of_year - (153 * month + 2) / 5 + 1;
  const std::int64_t year = year_of_era + era * 400 + (month >= 10 ? 1 : 0);
  return fmt::format("{:04}-{:02}-{:02}", year, month < 10 ? month + 3 : month - 9, day);
}

// Numbers count days since 1899-12-31, as if there had been a 1900-02-29; or days since 1904-01-01 (ECMA-376, 18.17.4).
std::string time_of_cell(double serial, bool since_1904) {
  constexpr double seconds_a_day = 86400.0;
  const double whole = std::floor(serial);
  const auto seconds = static_cast<std::int64_t>(std::llround((serial - whole) * seconds_a_day));
  constexpr std::int64_t day_1904 = -24107;
  constexpr std::int64_t day_1899 = -25568;
  constexpr double leap_day = 60.0;
  std::int64_t days = static_cast<std::int64_t>(whole) + (since_1904 ? day_1904 : day_1899 - (whole > leap_day ? 1 : 0));
  if (seconds == 86400) ++days;
  const std::int64_t rest = seconds % 86400;
  std::string time = fmt::format("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
  if (whole == 0.0 && !since_1904) return time;
  std::string day = whole == leap_day && !since_1904 ? "1900-02-29" : iso_day(days);
  return rest == 0 ? day : day + "T" + time;
}

}  // namespace

// It has a letter for one outside quotes and brackets.
bool shows_time(std::string_view format) {
  char closing = '\0';
  for (std::size_t at = 0; at < format.size(); ++at) {
    const char next = format[at];
    if (closing != '\0') {
      if (next == closing) closing = '\0';
    } else if (next == '"') {
      closing = '"';
    } else if (next == '[') {
      closing = ']';
    } else if (next == '\\' || next == '_' || next == '*') {
      ++at;
    } else if (std::string_view("yYmMdDhHsS").find(next) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

bool shows_time_by_number(std::uint64_t format) {
  return (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 47) ||
         (format >= 50 && format <= 58);
}

std::string number_of_cell(double number, bool is_time, bool since_1904) {
  constexpr double last_day = 2958466.0;  // of the year 9999
  if (is_time && number >= 0.0 && number < last_day) return time_of_cell(number, since_1904);
  constexpr double largest_whole = 1e15;
  if (number == std::floor(number) && std::abs(number) < largest_whole) return std::to_string(static_cast<std::int64_t>(number));
  return fmt::format("{}", number);
}

void SheetTable::expect_columns(std::size_t columns) {
  constexpr std::size_t widest = 500;
  if (columns <= widest && rows_written_ == 0) width_ = columns;
}

void SheetTable::begin_row() {
  cells_.clear();
  budget_->give_back(std::exchange(row_bytes_, 0));
}

void SheetTable::take(std::size_t bytes) {
  budget_->take(bytes);
  row_bytes_ += bytes;
}

void SheetTable::put(std::size_t column, std::string text) {
  if (column >= cells_.size()) {
    take((column + 1 - cells_.size()) * sizeof(std::string));
    cells_.resize(column + 1);
  }
  // Many cells may refer to one long text, which is unpacked once but written for each of them.
  take(text.size());
  cells_[column] = std::move(text);
}

void SheetTable::note_header() {
  header_width_ = cells_.size();
  width_ = std::max(width_, header_width_);
  is_guarded_ = is_guarded_ || std::ranges::any_of(cells_, marks_guarded_table);
  is_continued_.assign(width_, false);
  for (std::size_t n = 1, first = 0; is_guarded_ && n < header_width_; ++n) {
    is_continued_[n] = cells_[n] == continued_column(cells_[first], n - first + 1);
    if (!is_continued_[n]) first = n;
  }
}

void SheetTable::join_pieces() {
  for (std::size_t n = 1, first = 0; n < std::min(cells_.size(), width_); ++n) {
    if (!is_continued_[n]) first = n;
    if (!is_continued_[n]) continue;
    take(cells_[n].size());
    cells_[first] += cells_[n];
  }
}

void SheetTable::end_row() {
  while (!cells_.empty() && cells_.back().empty()) cells_.pop_back();
  if (cells_.empty()) return;
  // Lines before the header are shorter than it.
  constexpr int most_lines_before_header = 20;
  if (rows_written_ == 0 || (cells_.size() > header_width_ && rows_written_ < most_lines_before_header))
    note_header();
  else
    join_pieces();
  ++rows_written_;
  cells_.resize(std::max(cells_.size(), width_));  // a longer row is one for the reader of CSV to refuse
  for (std::size_t n = 0; n < cells_.size(); ++n) {
    if (n < width_ && is_continued_[n]) continue;
    if (n > 0) out_ += ',';
    append_csv_field(is_guarded_ ? guarded_text(cells_[n]) : cells_[n], out_);
  }
  out_ += '\n';
}

}  // namespace inkling
