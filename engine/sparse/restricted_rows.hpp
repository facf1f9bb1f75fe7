// A block of documents seen through the relevant features only: the few entries that scoring needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace inkling {

/// Row i holds the entries from ends[i - 1] (0 for the first) to ends[i]: positions among the relevant
/// features, ascending, and their values. Kept by its user, so that in the long run nothing is allocated.
struct RestrictedRows {
  std::vector<std::uint32_t> ends;
  std::vector<std::int32_t> positions;  // at least ends.back() of them; what lies beyond means nothing
  std::vector<double> values;           // likewise

  [[nodiscard]] std::size_t rows() const noexcept { return ends.size(); }
  [[nodiscard]] std::size_t entries() const noexcept { return ends.empty() ? 0 : ends.back(); }

  /// Makes room for so many more entries after the first `used`.
  void make_room(std::size_t used, std::size_t more) {
    if (positions.size() - used >= more) return;
    positions.resize(2 * (used + more));
    values.resize(positions.size());
  }
};

}  // namespace inkling
