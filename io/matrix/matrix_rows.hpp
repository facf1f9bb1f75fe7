// The second pass of an import: the rows of a spilled matrix, in order, to the writer of a pool.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "engine/core/ids.hpp"
#include "io/matrix/matrix_spill.hpp"
#include "io/pool/write/matrix_writer.hpp"

namespace inkling {

struct RowPass {
  std::int32_t columns = 0;
  /// The feature that each column becomes; every column its own number where it is empty.
  std::span<const FeatureId> feature_of_column = {};
  std::uint64_t memory = 0;
  std::function<void(std::uint64_t)> advance = [](std::uint64_t) {};  ///< told of entries written
};

/// In parallel where the rows come in order; otherwise rows are grouped first. Throws FormatError, naming row
/// and column, where a place comes twice. The result does not depend on memory or threads.
void write_rows(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass,
                MatrixWriter& writer);

}  // namespace inkling
