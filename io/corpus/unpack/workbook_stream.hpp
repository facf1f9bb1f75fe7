// The first sheet of an XLSX file (ECMA-376) as CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/corpus/sheets/sheet_table.hpp"
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
  [[nodiscard]] std::string value_of(const std::string& type, const std::string& value, const std::string& style);
  void note_dimension(std::string_view range);
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
  SheetTable table_;
};

/// Whether the file is XLSX or XLS; false if it cannot seek.
[[nodiscard]] bool is_workbook(const FileStream& file);
/// Its first sheet as CSV. Requires: is_workbook(file), and nothing of it was read. Lifetime: the file outlives it.
[[nodiscard]] std::unique_ptr<InputStream> open_workbook(FileStream& file, const UnpackingLimits& limits);

}  // namespace inkling
