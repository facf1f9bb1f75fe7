// The rows that a model learned from: copied, or lent by whoever gives them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/sparse_row.hpp"

namespace inkling {

/// Who keeps the rows that a model learns from.
enum class RowKeeping {
  copied,  ///< the model: rows may come from anywhere, and go away
  lent,    ///< the pool, which outlives the model: saves the memory and the time of copies
};

/// Rows in the order in which they came. A row stays where it is until the store dies, also where the store moves.
class RowStore {
 public:
  RowStore(std::int32_t columns, RowKeeping keeping) : columns_(columns), keeping_(keeping) {}

  [[nodiscard]] std::int32_t columns() const noexcept { return columns_; }
  /// Requires: a place below the rows appended.
  [[nodiscard]] SparseRow operator[](std::size_t place) const noexcept { return rows_[place]; }

  /// A row that is to be copied is checked: throws FormatError where it is not of these columns, and keeps nothing.
  void append(SparseRow row) {
    if (keeping_ == RowKeeping::lent) {
      rows_.push_back(row);
      return;
    }
    check_row(columns_, row);
    rows_.push_back(copy_of(row));
  }

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

  [[nodiscard]] SparseRow copy_of(SparseRow row) {
    if (chunks_.empty() || chunks_.back().features.capacity() - chunks_.back().features.size() < row.size())
      add_chunk(row.size());
    Chunk& chunk = chunks_.back();
    const std::size_t begin = chunk.features.size();
    chunk.features.insert(chunk.features.end(), row.features.begin(), row.features.end());
    chunk.values.insert(chunk.values.end(), row.values.begin(), row.values.end());
    return {std::span(chunk.features).subspan(begin), std::span(chunk.values).subspan(begin)};
  }

  void add_chunk(std::size_t least) {
    const std::size_t doubled = chunks_.empty() ? kFirstChunk : 2 * chunks_.back().features.capacity();
    const std::size_t entries = std::max(least, std::min(doubled, kLargestChunk));
    Chunk chunk;
    chunk.features.reserve(entries);
    chunk.values.reserve(entries);
    chunks_.push_back(std::move(chunk));
  }

  std::int32_t columns_;
  RowKeeping keeping_;
  std::vector<SparseRow> rows_;
  std::vector<Chunk> chunks_;
};

}  // namespace inkling
