// Strings by row, in memory that something else owns.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace inkling {

/// Lifetime: lends its owner's bytes and offsets. Pass by value.
/// Invariants (checked by whoever made it): offsets never fall and stay within the bytes; one more than
/// strings.
class StringTable {
 public:
  StringTable() noexcept = default;

  /// String n is what lies between offsets n and n + 1, without the last `gap` bytes (a line's end).
  /// Requires: the invariants.
  StringTable(std::span<const std::int64_t> offsets, std::string_view bytes, std::size_t gap = 0) noexcept
      : offsets_(offsets), bytes_(bytes), gap_(gap) {}

  [[nodiscard]] std::int64_t size() const noexcept {
    return offsets_.empty() ? 0 : static_cast<std::int64_t>(offsets_.size()) - 1;
  }

  /// Requires: 0 <= row < size().
  [[nodiscard]] std::string_view operator[](std::int64_t row) const noexcept {
    assert(row >= 0 && row < size());
    const auto at = static_cast<std::size_t>(row);
    const auto begin = static_cast<std::size_t>(offsets_[at]);
    return bytes_.substr(begin, static_cast<std::size_t>(offsets_[at + 1]) - begin - gap_);
  }

  /// The row of a string, or nothing. Requires: strings ascend.
  [[nodiscard]] std::optional<std::int64_t> find(std::string_view text) const noexcept {
    std::int64_t begin = 0;
    std::int64_t end = size();
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if ((*this)[middle] < text) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    if (begin == size() || (*this)[begin] != text) return std::nullopt;
    return begin;
  }

 private:
  std::span<const std::int64_t> offsets_;
  std::string_view bytes_;
  std::size_t gap_ = 0;
};

}  // namespace inkling
