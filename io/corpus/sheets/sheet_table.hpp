// The cells of a sheet as CSV.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"

namespace inkling {

/// Whether a format of numbers shows a day or a time.
[[nodiscard]] bool shows_time(std::string_view format);
/// The same for the predefined formats (ECMA-376, 18.8.30), which XLS has, too.
[[nodiscard]] bool shows_time_by_number(std::uint64_t format);

/// A number as text; a date or time as in ISO 8601. Requires: finite.
[[nodiscard]] std::string number_of_cell(double number, bool is_time, bool since_1904);

/// Writes each row as a record with commas and quotes; leaves out empty rows. All records have as many fields as the widest of the
/// first ones, which is the header. What a row holds is taken from a budget. Lifetime: the budget outlives it. Thread safety: one
/// thread at a time.
class SheetTable {
 public:
  explicit SheetTable(ReadingBudget& budget) : budget_(&budget) {}

  /// Columns that the header does not name, as people write notes in, are part of the table, if it is no wider than tables of records
  /// are. No effect once a row was written.
  void expect_columns(std::size_t columns);
  void begin_row();
  /// Columns count from 0.
  void put(std::size_t column, std::string text);
  void end_row();

  /// For what becomes a cell of this row.
  void take(std::size_t bytes);
  [[nodiscard]] std::uint64_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::size_t columns() const { return cells_.size(); }
  [[nodiscard]] std::size_t width() const { return width_; }

  /// Fills `to` with the CSV; fewer bytes at the end. `next_row` reads one row, and returns false at the end.
  template <typename NextRow>
  [[nodiscard]] std::size_t read(std::span<char> to, const NextRow& next_row) {
    std::size_t count = 0;
    while (count < to.size()) {
      if (out_at_ == out_.size()) {
        out_.clear();
        out_at_ = 0;
        if (!next_row()) break;
      }
      const std::size_t some = std::min(to.size() - count, out_.size() - out_at_);
      std::copy_n(out_.data() + out_at_, some, to.data() + count);
      out_at_ += some;
      count += some;
    }
    return count;
  }

 private:
  void note_header();
  void join_pieces();

  ReadingBudget* budget_;
  std::vector<std::string> cells_;
  std::uint64_t row_bytes_ = 0;  // taken for `cells_`
  std::size_t width_ = 0;        // of the table
  std::size_t header_width_ = 0;
  std::int64_t rows_written_ = 0;
  std::vector<bool> is_continued_;  // columns with later pieces of the cells in a column before them (workbook_writer.hpp)
  bool is_guarded_ = false;         // so that readers of CSV give back every text as it is in the sheet
  std::string out_;
  std::size_t out_at_ = 0;
};

}  // namespace inkling
