// Checks the texts of a pool: tables of strings, and lists of lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/string_table.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Throws CorruptFileError unless offsets begin at 0, never fall and end with the bytes, and each string is
/// UTF-8. Requires: at least one offset.
void check_strings(const std::string& bytes_path, std::string_view bytes, const std::string& offsets_path,
                   std::span<const std::int64_t> offsets, const PieceChecked& checked);

/// Where each line begins, and the end. Throws CorruptFileError unless the text is UTF-8, ends in a line end,
/// and its lines ascend by their bytes.
[[nodiscard]] std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text,
                                                      const PieceChecked& checked);

/// The lines as strings, without their ends. Lifetime: lends both arguments.
[[nodiscard]] inline StringTable lines_of(std::string_view text, std::span<const std::int64_t> offsets) {
  return {offsets, text, 1};
}

}  // namespace inkling
