// A block of rows in any order of features, sorted both ways at once.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/pool/write/grouped_entries.hpp"

namespace inkling {

/// One non-zero of a block of rows.
struct BlockEntry {
  FeatureId feature;
  std::uint32_t row;  ///< within the block
  float value;
};

/// Consecutive rows of a matrix; entries ascend by row, in any order of features within one.
struct UnsortedBlock {
  static constexpr std::uint32_t most_rows = 1U << 16U;

  std::uint32_t rows = 0;
  std::vector<BlockEntry> entries;
};

/// A block ready to be written: as rows, features ascending in each, and as columns, rows ascending in each.
struct SortedBlock {
  std::vector<std::uint32_t> row_sizes;
  std::vector<FeatureId> features;
  std::vector<float> values;
  std::vector<GroupedEntry> by_feature;  ///< key: the feature; member: the row within the block
};

/// Sorts by stable counting passes, without a comparison. Keeps its memory from block to block.
/// Thread safety: one thread at a time; the result does not depend on what was sorted before.
class BlockSorter {
 public:
  /// Into `sorted`, whose memory is used again. Throws FormatError, naming the row of the block, where a row
  /// holds a feature twice or a feature is not within [0, columns); std::logic_error where rows do not ascend
  /// within [0, block.rows).
  void sort(const UnsortedBlock& block, std::int32_t columns, SortedBlock& sorted);

 private:
  std::vector<GroupedEntry> spare_;
  std::vector<std::uint32_t> positions_;
};

}  // namespace inkling
