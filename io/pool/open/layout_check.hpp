// Checks one layout of a pool's matrix, all of it, in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool.hpp"

namespace inkling {

/// A range of `size` is cut into pieces of `piece_size`: where the first piece begins for which
/// `is_wrong(begin, end)` holds, for any number of threads; pieces after one that is wrong may be left out.
/// Requires: `is_wrong` may be called from any thread.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size,
                                                           const IsWrong& is_wrong) {
  using Pieces = tbb::blocked_range<std::size_t>;
  const std::size_t pieces = size / piece_size + (size % piece_size != 0 ? 1 : 0);
  const std::size_t first = tbb::parallel_reduce(
      Pieces(0, pieces, 1), pieces,
      [&](const Pieces& range, std::size_t wrong) {
        for (std::size_t piece = range.begin(); piece != range.end() && wrong == pieces; ++piece) {
          const std::size_t begin = piece * piece_size;
          if (is_wrong(begin, begin + std::min(piece_size, size - begin))) wrong = piece;
        }
        return wrong;
      },
      [](std::size_t one, std::size_t other) { return std::min(one, other); });
  return first == pieces ? std::nullopt : std::optional(first * piece_size);
}

/// Which of an entry's two numbers the offsets count by.
enum class LayoutOrder { by_document, by_feature };

struct LayoutNames {
  std::string_view offsets, ids, values;
};

/// One layout as it lies in the files of a pool.
struct MatrixLayout {
  const std::string& pool;
  LayoutNames names;
  LayoutOrder order = LayoutOrder::by_document;
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> ids;
  std::span<const float> values;
  std::int64_t most_ids = 0;  ///< ids are below it
};

/// Throws CorruptFileError unless offsets begin at 0, never fall and end at the number of ids; the ids of a
/// row (of a column) ascend within [0, most_ids); values are finite. Returns a sum over all entries that does
/// not depend on their order: two layouts of one matrix have the same, and different matrices almost never do.
/// Requires: as many ids as values, at least one offset. Thread safety: pure.
[[nodiscard]] std::uint64_t checked_layout(const MatrixLayout& layout, const PieceChecked& checked);

/// Throws CorruptFileError unless offsets begin at 0, never fall and end with the bytes, and each string is
/// UTF-8. Requires: at least one offset.
void check_strings(const std::string& bytes_path, std::string_view bytes, const std::string& offsets_path,
                   std::span<const std::int64_t> offsets, const PieceChecked& checked);

/// Where each line begins, and the end. Throws CorruptFileError unless the text is UTF-8, ends in a line end,
/// and its lines ascend by their bytes.
[[nodiscard]] std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text,
                                                      const PieceChecked& checked);

/// The same for the vocabulary of a pool of `columns` columns; throws also where it has more or fewer terms.
[[nodiscard]] std::vector<std::int64_t> checked_vocabulary(const std::string& path, std::string_view text,
                                                           std::int64_t columns, const PieceChecked& checked);

}  // namespace inkling
