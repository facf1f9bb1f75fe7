// Checks all of a layout of a pool's matrix, of a table of strings, or of lines: piece by piece, in parallel.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/file_bytes.hpp"

namespace inkling {

/// Cuts a range of `size` into pieces of `piece_size`. Returns the begin of the first piece for which `is_wrong(begin,
/// end)` is true or throws a CorruptFileError, whatever the number of threads; may skip pieces after a wrong one.
/// Requires: `is_wrong` may be called from any thread.
template <typename IsWrong>
[[nodiscard]] std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size, const IsWrong& is_wrong) {
  using Pieces = tbb::blocked_range<std::size_t>;
  const auto is_or_throws = [&is_wrong](std::size_t begin, std::size_t end) {
    try {
      return is_wrong(begin, end);
    } catch (const CorruptFileError&) {
      return true;
    }
  };
  const std::size_t pieces = size / piece_size + (size % piece_size != 0 ? 1 : 0);
  const std::size_t first = tbb::parallel_reduce(
      Pieces(0, pieces, 1), pieces,
      [&](const Pieces& range, std::size_t wrong) {
        for (std::size_t piece = range.begin(); piece != range.end() && wrong == pieces; ++piece) {
          const std::size_t begin = piece * piece_size;
          if (is_or_throws(begin, begin + std::min(piece_size, size - begin))) wrong = piece;
        }
        return wrong;
      },
      [](std::size_t one, std::size_t other) { return std::min(one, other); });
  return first == pieces ? std::nullopt : std::optional(first * piece_size);
}

/// By which of an entry's two numbers a layout is ordered.
enum class LayoutOrder { by_document, by_feature };

/// One layout of a matrix in the files of a pool.
struct MatrixLayout {
  LayoutOrder order;
  NumberArray<std::int64_t> offsets;
  NumberArray<std::int32_t> ids;
  NumberArray<float> values;
  std::int64_t most_ids;  ///< every id is below it
};

/// Hashes each entry with random keys of this run. The sum of the hashes of all entries does not depend on their order,
/// so two layouts of one matrix have the same sum. As nobody can know the keys, no pool can be made, not even on purpose,
/// whose layouts differ and have the same sum.
class EntryMix {
 public:
  using Keys = std::array<std::uint64_t, 4>;

  /// Keys from the system. Throws SystemError.
  EntryMix();
  explicit EntryMix(const Keys& keys);

  [[nodiscard]] std::uint64_t mixed(std::uint64_t row, std::uint64_t feature, std::uint32_t value) const noexcept {
    const std::uint64_t place = (row << 32U | feature) ^ keys_[0];
    const std::uint64_t twice = (std::uint64_t{value} << 32U | value) ^ keys_[1];
    return folded(folded(place, twice) ^ keys_[2], keys_[3]);
  }

 private:
  /// The two halves of a product, combined.
  [[nodiscard]] static std::uint64_t folded(std::uint64_t one, std::uint64_t other) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{one} * other;
    return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
  }

  Keys keys_;
};

/// Throws CorruptFileError unless offsets begin at 0, never fall and end at `end`. Requires: at least one offset.
void check_offsets(const NumberArray<std::int64_t>& offsets, std::uint64_t end, const PieceChecked& checked);

/// Throws CorruptFileError unless offsets begin at 0, never fall and end at the number of ids; the ids of a
/// row (of a column) ascend within [0, most_ids); values are finite. Returns the sum over all entries.
/// Requires: as many ids as values, at least one offset. Thread safety: pure.
[[nodiscard]] std::uint64_t checked_layout(const MatrixLayout& layout, const EntryMix& mix, const PieceChecked& checked);

/// Throws CorruptFileError unless offsets begin at 0, never fall and end with the bytes (what follows the header of
/// the array), and each string is UTF-8. Requires: at least one offset.
void check_strings(const NumberArray<std::uint8_t>& bytes, const NumberArray<std::int64_t>& offsets, const PieceChecked& checked);

/// Where each line begins, and the end. Throws CorruptFileError unless the text is UTF-8, ends in a line end,
/// and its lines ascend by their bytes.
[[nodiscard]] std::vector<std::int64_t> checked_lines(const std::string& path, std::string_view text,
                                                      const PieceChecked& checked);

}  // namespace inkling
