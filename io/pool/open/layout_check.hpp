// Checks one layout of a pool's matrix, all of it, in parallel.
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

/// Which of an entry's two numbers the offsets count by.
enum class LayoutOrder { by_document, by_feature };

/// One layout as it lies in the files.
struct MatrixLayout {
  LayoutOrder order = LayoutOrder::by_document;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> ids;
  std::span<const float> values;
  std::int64_t most_ids = 0;  ///< ids are below it
};

/// How messages name the three files.
struct LayoutPaths {
  std::string offsets;
  std::string ids;
  std::string values;
};

/// Throws CorruptFileError unless offsets begin at 0, never fall and end at the number of ids; the ids of a
/// row (of a column) ascend within [0, most_ids); values are finite. Returns a sum over all entries that does
/// not depend on their order: two layouts of one matrix have the same, and two matrices hardly ever do.
/// Requires: as many ids as values, at least one offset. Thread safety: pure.
[[nodiscard]] std::uint64_t checked_layout(const MatrixLayout& layout, const LayoutPaths& paths,
                                           const PieceChecked& checked);

/// Throws CorruptFileError naming `path` unless offsets begin at 0, never fall and end at `end`.
void check_offsets(const std::string& path, std::span<const std::int64_t> offsets, std::uint64_t end,
                   const PieceChecked& checked);

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
