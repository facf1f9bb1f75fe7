// The rows that a model learned from: copied, or lent by whoever gives them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/model_options.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// Rows in the order in which they were appended. A row keeps its address until the store dies, even if the store moves.
class RowStore {
 public:
  RowStore(std::int32_t columns, RowKeeping keeping) : columns_(columns), keeping_(keeping) {}

  [[nodiscard]] std::int32_t columns() const noexcept { return columns_; }
  /// Requires: a place below the rows appended.
  [[nodiscard]] SparseRow operator[](std::size_t place) const noexcept { return rows_[place]; }

  /// A row that is to be copied is checked: throws FormatError where it is not of these columns, and keeps nothing.
  void append(SparseRow row);

  /// The rows after it move one place down. Requires: a place below the rows appended.
  void erase(std::size_t place) { rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(place)); }

 private:
  /// Entries of rows, one row after the other; it is never filled beyond what was reserved, so nothing in it moves.
  struct Chunk {
    std::vector<FeatureId> features;
    std::vector<float> values;
  };

  static constexpr std::size_t kFirstChunk = 1024;
  static constexpr std::size_t kLargestChunk = std::size_t{1} << 16U;

  [[nodiscard]] SparseRow copy_of(SparseRow row);
  void add_chunk(std::size_t least);

  std::int32_t columns_;
  RowKeeping keeping_;
  std::vector<SparseRow> rows_;
  std::vector<Chunk> chunks_;
};

}  // namespace inkling
