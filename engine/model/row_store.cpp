#include "engine/model/row_store.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/sparse/csr_matrix.hpp"

namespace inkling {

void RowStore::append(SparseRow row) {
  if (keeping_ == RowKeeping::lent) {
    rows_.push_back(row);
    return;
  }
  check_row(columns_, row);
  rows_.push_back(copy_of(row));
}

SparseRow RowStore::copy_of(SparseRow row) {
  if (chunks_.empty() || chunks_.back().features.capacity() - chunks_.back().features.size() < row.size()) add_chunk(row.size());
  Chunk& chunk = chunks_.back();
  const std::size_t begin = chunk.features.size();
  chunk.features.insert(chunk.features.end(), row.features.begin(), row.features.end());
  chunk.values.insert(chunk.values.end(), row.values.begin(), row.values.end());
  return {std::span(chunk.features).subspan(begin), std::span(chunk.values).subspan(begin)};
}

void RowStore::add_chunk(std::size_t least) {
  const std::size_t doubled = chunks_.empty() ? kFirstChunk : 2 * chunks_.back().features.capacity();
  const std::size_t entries = std::max(least, std::min(doubled, kLargestChunk));
  Chunk chunk;
  chunk.features.reserve(entries);
  chunk.values.reserve(entries);
  chunks_.push_back(std::move(chunk));
}

}  // namespace inkling
