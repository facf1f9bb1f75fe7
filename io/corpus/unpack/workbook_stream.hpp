// The first sheet of an XLSX file (ECMA-376) as CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/corpus/unpack/archive_reader.hpp"
#include "io/corpus/unpack/xml_reader.hpp"

namespace inkling {

/// Writes each row as a record with commas and quotes; leaves out empty rows. All records have as many fields as the
/// first one. Dates and times are written as in ISO 8601, formulas as their values. Keeps shared texts and formats in
/// memory, but not cells. Throws FormatError for damage and for rows that are too long, with "FILE:ROW:COLUMN" within a
/// sheet. Thread safety: one thread at a time.
class WorkbookStream final : public InputStream {
 public:
  WorkbookStream(const std::string& path, const UnpackingLimits& limits);
  ~WorkbookStream() override;
  WorkbookStream(const WorkbookStream&) = delete;
  WorkbookStream& operator=(const WorkbookStream&) = delete;
  WorkbookStream(WorkbookStream&&) = delete;
  WorkbookStream& operator=(WorkbookStream&&) = delete;
  [[nodiscard]] std::size_t read(std::span<char> to) override;

 private:
  struct Book;
  struct Pass;

  void read_parts();
  void open_sheet();
  [[nodiscard]] bool next_row();
  void read_row();
  void read_cell();
  void take_of_row(std::size_t bytes);
  [[nodiscard]] std::string value_of(const std::string& type, const std::string& value, const std::string& style);
  void write_row();
  void note_dimension(std::string_view range);
  void note_header();
  void join_pieces();
  [[noreturn]] void refuse(const std::string& expectation) const;

  std::string path_;
  UnpackingLimits limits_;
  ReadingBudget budget_;
  std::unique_ptr<Book> book_;
  std::unique_ptr<Pass> pass_;
  std::optional<XmlReader> sheet_;
  std::optional<UnpackingMeter> meter_;
  std::uint64_t row_ = 0;
  std::size_t column_ = 0;
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
