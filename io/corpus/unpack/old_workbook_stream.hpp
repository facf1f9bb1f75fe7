// The first sheet of an XLS file of Excel 97 and later (MS-XLS, in the container of MS-CFB) as CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/reading_budget.hpp"
#include "io/corpus/sheets/sheet_table.hpp"
#include "io/corpus/unpack/byte_stream.hpp"
#include "io/corpus/unpack/packing.hpp"

namespace inkling {

/// Whether the file is a workbook of that kind, or of an earlier Excel; false if it cannot seek.
[[nodiscard]] bool is_old_workbook(const FileStream& file);

/// Writes what WorkbookStream writes of XLSX. Keeps the workbook in memory, and where its texts and cells are. Throws FormatError for
/// damage, for a password and for earlier kinds, with "FILE:ROW:COLUMN" within a sheet. Thread safety: one thread at a time.
class OldWorkbookStream final : public InputStream {
 public:
  /// Requires: nothing of the file was read. Lifetime: the file outlives it.
  OldWorkbookStream(FileStream& file, const UnpackingLimits& limits);
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  struct Cell {
    std::uint32_t row;
    std::uint32_t column;
    std::size_t record;  // where it begins
    [[nodiscard]] std::uint64_t place() const { return std::uint64_t{row} << 32U | column; }
  };
  struct Text {
    std::size_t begin;
    std::size_t record_end;  // of the record in which it begins
  };

  void read_book();
  void read_texts(std::size_t at);
  void find_cells(std::size_t sheet);
  void add_cells(std::size_t at);
  [[nodiscard]] bool next_row();
  [[nodiscard]] std::string text_of(const Cell& cell);
  [[nodiscard]] std::string text_of_number(double number, std::uint64_t style) const;
  [[nodiscard]] std::string text_of_formula(std::size_t at) const;
  [[noreturn]] void refuse(const std::string& expectation) const;

  std::string path_;
  UnpackingLimits limits_;
  ReadingBudget budget_;
  std::string book_;  // records, each a kind, a size and so many bytes
  std::vector<Text> texts_;
  std::vector<bool> is_time_;  // by style of cells
  bool since_1904_ = false;
  std::vector<Cell> cells_;
  std::size_t columns_ = 0;
  std::size_t next_ = 0;  // among `cells_`
  std::uint64_t written_ = 0;
  UnpackingMeter meter_;
  SheetTable table_;
};

}  // namespace inkling
