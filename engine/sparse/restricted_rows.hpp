// Documents seen through the relevant features only: the few entries that learning and scoring need.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace inkling {

/// One document: the positions of its entries among the relevant features, and their values.
/// Lifetime: lends what a RestrictedRows owns. Pass by value.
struct RestrictedRow {
  std::span<const std::int32_t> positions;
  std::span<const double> values;

  [[nodiscard]] std::size_t size() const noexcept { return positions.size(); }
  [[nodiscard]] bool empty() const noexcept { return positions.empty(); }
};

/// Sum of row_a * dense[a], in order of the row. Requires: every position is < dense.size().
[[nodiscard]] inline double dot(RestrictedRow row, std::span<const double> dense) noexcept {
  double sum = 0.0;
  for (std::size_t n = 0; n < row.size(); ++n) {
    assert(static_cast<std::size_t>(row.positions[n]) < dense.size());
    sum += row.values[n] * dense[static_cast<std::size_t>(row.positions[n])];
  }
  return sum;
}

/// Sum of the squared values.
[[nodiscard]] inline double squared_norm(RestrictedRow row) noexcept {
  return std::inner_product(row.values.begin(), row.values.end(), row.values.begin(), 0.0);
}

/// A block of documents. Row i holds the entries from ends[i - 1] (0 for the first) to ends[i].
/// Kept by its user from one block to the next, so that in the long run nothing is allocated.
struct RestrictedRows {
  std::vector<std::uint32_t> ends;
  std::vector<std::int32_t> positions;  // at least ends.back() of them; the rest is unused
  std::vector<double> values;           // likewise

  [[nodiscard]] std::size_t rows() const noexcept { return ends.size(); }
  [[nodiscard]] std::size_t entries() const noexcept { return ends.empty() ? 0 : ends.back(); }

  /// The first entry of a row.
  [[nodiscard]] std::size_t begin(std::size_t row) const noexcept { return row == 0 ? 0 : ends[row - 1]; }

  [[nodiscard]] RestrictedRow row(std::size_t index) const noexcept {
    const std::size_t count = ends[index] - begin(index);
    return {std::span(positions).subspan(begin(index), count), std::span(values).subspan(begin(index), count)};
  }

  /// Makes room for this many more entries after the first `used`.
  void make_room(std::size_t used, std::size_t more) {
    if (positions.size() - used >= more) return;
    positions.resize(2 * (used + more));
    values.resize(positions.size());
  }

  void clear() noexcept {
    ends.clear();
    positions.clear();
    values.clear();
  }

  /// Adds an entry to the row that `end_row` will end. Requires: no room beyond the last entry.
  void add(std::int32_t position, double value) {
    positions.push_back(position);
    values.push_back(value);
  }
  void end_row() { ends.push_back(static_cast<std::uint32_t>(positions.size())); }

  void append(RestrictedRow row) {
    positions.insert(positions.end(), row.positions.begin(), row.positions.end());
    values.insert(values.end(), row.values.begin(), row.values.end());
    end_row();
  }
};

/// x' M x of a document x of `count` entries and a symmetric matrix M, with the sums in the one order in which every
/// squared width is summed. `row_of(a)` is where row a of M begins; visit(a, value) is called for every entry. With a
/// constant count, the compiler knows where the loops end.
template <typename PositionOf, typename ValueOf, typename RowOf, typename Visit>
[[nodiscard]] __attribute__((always_inline)) inline double quadratic_form(std::size_t count, const PositionOf& position_of,
                                                                          const ValueOf& value_of, const RowOf& row_of,
                                                                          const Visit& visit) noexcept {
  double sum = 0.0;
  for (std::size_t p = 0; p < count; ++p) {
    const auto a = static_cast<std::size_t>(position_of(p));
    const double value = value_of(p);
    const double* const matrix_row = row_of(a);
    double off_diagonal = 0.0;
    for (std::size_t q = 0; q < p; ++q) off_diagonal += value_of(q) * matrix_row[position_of(q)];
    visit(a, value);
    sum += value * (value * matrix_row[a] + 2.0 * off_diagonal);
  }
  return sum;
}

}  // namespace inkling
