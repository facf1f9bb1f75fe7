// XLS files for tests: records of a workbook, and the container that holds them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace inkling::test {

/// A number with its lowest byte first.
[[nodiscard]] std::string low_bytes(std::uint64_t number, int bytes);

[[nodiscard]] std::string xls_record(std::uint64_t kind, std::string_view content);
/// The head of a cell: row and column from 0, and the number of its style.
[[nodiscard]] std::string xls_cell(std::uint64_t row, std::uint64_t column, std::uint64_t style = 0);
/// A text of one byte a character after its length.
[[nodiscard]] std::string xls_text(std::string_view latin1);

/// A book of one sheet: `globals` and `cells` are records.
[[nodiscard]] std::string xls_book(std::string_view globals, std::string_view cells);

/// A compound file that holds this file alone, in large sectors or in the small ones for files of less than 4096 bytes.
[[nodiscard]] std::string compound_file(std::string_view name, std::string content, bool in_small_sectors = false);

}  // namespace inkling::test
