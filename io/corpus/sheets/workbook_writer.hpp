// A table as an XLSX file (ECMA-376): one sheet, whose first row stays in view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct archive;

namespace inkling {

/// The text in pieces that a cell can hold; at least one.
[[nodiscard]] std::vector<std::string_view> cell_pieces(std::string_view text);

/// The name of the column for the pieces of that number, from 2 on: "abstract (continued 2)". In a table of ours, WorkbookStream
/// puts the pieces together again.
[[nodiscard]] std::string continued_column(std::string_view column, std::size_t piece);

/// Writes cell by cell and row by row; the same cells give the same bytes. Texts stay texts, whatever they begin with.
/// Characters that XML cannot hold are written as XLSX defines: "_x0007_". Throws FormatError, naming the cell, for more
/// than a sheet can hold. Requires: whole rows, and `finish` as the last call. Thread safety: one thread at a time.
class WorkbookWriter {
 public:
  /// Receives the file in pieces.
  using Append = std::function<void(std::string_view)>;

  explicit WorkbookWriter(Append append);
  ~WorkbookWriter();
  WorkbookWriter(const WorkbookWriter&) = delete;
  WorkbookWriter& operator=(const WorkbookWriter&) = delete;
  WorkbookWriter(WorkbookWriter&&) = delete;
  WorkbookWriter& operator=(WorkbookWriter&&) = delete;

  /// An empty text is an empty cell.
  void add_text(std::string_view text);
  /// Requires: a number as JSON writes it.
  void add_number(std::string_view digits);
  void end_row();
  void finish();

 private:
  struct Callbacks;

  void begin_part(const char* name);
  void write_part(const char* name, std::string_view xml);
  void write_bytes(std::string_view bytes);
  [[nodiscard]] std::string next_place();
  void check(int answer);

  Append append_;
  std::exception_ptr failure_;  // of `append_`; it must not pass through C code
  std::unique_ptr<archive, void (*)(archive*)> archive_;
  std::string row_;  // its XML so far
  std::size_t columns_ = 0;
  std::uint64_t rows_ = 0;  // before this one
  std::uint64_t bytes_ = 0;
};

}  // namespace inkling
