// The rows of a pool cut into blocks, the unit in which threads share work.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "engine/core/ids.hpp"

namespace inkling {

/// The rows [first, end).
struct RowBlock {
  DocumentId first;
  DocumentId end;
  [[nodiscard]] constexpr std::size_t size() const noexcept { return static_cast<std::size_t>(end - first); }
};

/// Rows 0 ... rows - 1 in blocks of rows_each, the last one shorter. Nothing here overflows for any number of
/// rows.
class RowBlocks {
 public:
  /// Requires: rows >= 0, rows_each > 0.
  constexpr RowBlocks(std::int32_t rows, std::int32_t rows_each) noexcept : rows_(rows), rows_each_(rows_each) {}

  [[nodiscard]] constexpr std::int32_t count() const noexcept { return rows_ / rows_each_ + (rows_ % rows_each_ == 0 ? 0 : 1); }

  /// Requires: 0 <= index < count().
  [[nodiscard]] constexpr RowBlock operator[](std::int32_t index) const noexcept {
    assert(index >= 0 && index < count());
    const DocumentId first = index * rows_each_;
    return {first, first + std::min(rows_each_, rows_ - first)};
  }

 private:
  std::int32_t rows_;
  std::int32_t rows_each_;
};

}  // namespace inkling
