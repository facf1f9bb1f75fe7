// Which rows of a pool have the text of an earlier one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Lifetime: lends both lists. Invariants: the copies ascend; an original comes before its copy and is none itself.
struct RowCopies {
  std::span<const DocumentId> rows = {};       ///< the copies
  std::span<const DocumentId> originals = {};  ///< by copy: the first row of its text

  [[nodiscard]] std::int64_t size() const noexcept { return std::ssize(rows); }

  /// The original of a copy; any other row itself.
  [[nodiscard]] DocumentId original_of(DocumentId row) const noexcept {
    const auto at = std::ranges::lower_bound(rows, row);
    return at == rows.end() || *at != row ? row : originals[static_cast<std::size_t>(at - rows.begin())];
  }
};

/// The same, owned.
struct CopiedRows {
  std::vector<DocumentId> rows = {};
  std::vector<DocumentId> originals = {};

  void add(DocumentId row, DocumentId original) {
    rows.push_back(row);
    originals.push_back(original);
  }
  [[nodiscard]] RowCopies view() const noexcept { return {rows, originals}; }
};

}  // namespace inkling
