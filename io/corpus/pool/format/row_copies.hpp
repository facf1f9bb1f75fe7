// Which rows of a pool, or of a set, are one with another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Lifetime: lends both lists. Invariants: the copies ascend; an original is no copy itself.
template <typename Row>
struct CopiesOf {
  std::span<const Row> rows = {};       ///< the copies
  std::span<const Row> originals = {};  ///< by copy: the row that is offered in its place

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(rows); }

  /// The original of a copy; any other row itself.
  [[nodiscard]] Row original_of(Row row) const noexcept {
    const auto at = std::ranges::lower_bound(rows, row);
    return at == rows.end() || *at != row ? row : originals[static_cast<std::size_t>(at - rows.begin())];
  }

  /// The first copy whose original is not one of so many rows, or is a copy. Requires: the copies ascend.
  [[nodiscard]] std::optional<std::size_t> bad_original(std::int64_t all_rows) const noexcept {
    for (std::size_t n = 0; n < originals.size(); ++n)
      if (originals[n] < 0 || originals[n] >= all_rows || original_of(originals[n]) != originals[n]) return n;
    return std::nullopt;
  }
};

/// The same, owned.
template <typename Row>
struct OwnedCopiesOf {
  std::vector<Row> rows = {};
  std::vector<Row> originals = {};

  void add(Row row, Row original) {
    rows.push_back(row);
    originals.push_back(original);
  }
  [[nodiscard]] CopiesOf<Row> view() const noexcept { return {rows, originals}; }
};

using RowCopies = CopiesOf<DocumentId>;
using CopiedRows = OwnedCopiesOf<DocumentId>;
/// Of a set, which numbers documents with 64 bits.
using SetCopies = CopiesOf<std::int64_t>;
using CopiedSetRows = OwnedCopiesOf<std::int64_t>;

}  // namespace inkling
