// Checks all of a layout of a pool's matrix, of a table of strings, or of lines: piece by piece, in parallel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/corpus/pool/open/file_bytes.hpp"

namespace inkling {

/// Cuts a range of `size` into pieces of `piece_size`. Returns the begin of the first piece for which `is_wrong(begin,
/// end)` is true or throws a CorruptFileError, whatever the number of threads; may skip pieces after a wrong one.
/// Requires: `is_wrong` may be called from any thread.
[[nodiscard]] std::optional<std::size_t> first_wrong_range(std::size_t size, std::size_t piece_size,
                                                           const std::function<bool(std::size_t, std::size_t)>& is_wrong);

/// The number by which the entries of a layout are ordered.
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
