// Checks one layout of a pool's matrix, all of it, in parallel.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// The first of `count` pieces for which `is_wrong(piece)` holds, for any number of threads; pieces
/// after one that is wrong may be left out. Requires: `is_wrong` may be called from any thread.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_piece(std::size_t count, const IsWrong& is_wrong) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> first = none;
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 1),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t piece = range.begin(); piece != range.end(); ++piece) {
                        if (piece > first || !is_wrong(piece)) continue;
                        std::size_t seen = first;
                        while (piece < seen && !first.compare_exchange_weak(seen, piece)) {
                        }
                      }
                    });
  return first == none ? std::nullopt : std::optional<std::size_t>(first);
}

/// The same for a range of `size` that is cut into pieces of `piece_size`: `is_wrong(begin, end)`; gives
/// where the first wrong piece begins.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size,
                                                           const IsWrong& is_wrong) {
  const std::size_t pieces = size / piece_size + (size % piece_size != 0 ? 1 : 0);
  const std::optional<std::size_t> wrong = first_wrong_piece(pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * piece_size;
    return is_wrong(begin, begin + std::min(piece_size, size - begin));
  });
  if (!wrong) return std::nullopt;
  return *wrong * piece_size;
}

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
/// not depend on their order: two layouts of one matrix have the same, and different matrices almost never do.
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
