// Which rows of a pool, or of a set, have the text of an earlier one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Lifetime: lends both lists. Invariants: the copies ascend; an original comes before its copy and is none itself.
template <typename Row>
struct CopiesOf {
  std::span<const Row> rows = {};       ///< the copies
  std::span<const Row> originals = {};  ///< by copy: the first row of its text

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(rows); }

  /// The original of a copy; any other row itself.
  [[nodiscard]] Row original_of(Row row) const noexcept {
    const auto at = std::ranges::lower_bound(rows, row);
    return at == rows.end() || *at != row ? row : originals[static_cast<std::size_t>(at - rows.begin())];
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
