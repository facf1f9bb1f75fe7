// Reads the arrays that a scan of rows reads and only adds them up, to measure how long memory alone takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

struct ReadPass {
  std::uint64_t bytes = 0;     ///< 8 a non-zero and 8 a row, as ScanTotals counts them
  std::uint64_t checksum = 0;  ///< the sum of all words, so that the compiler can leave nothing out
};

/// The sum of the bytes as words of 8 bytes, the last one filled up with zeros. It uses all threads and the widest vectors of the
/// processor. The caller measures the time.
[[nodiscard]] std::uint64_t sum_of_bytes(std::span<const std::byte> bytes);

/// The same for the offsets, features and values of all rows. Requires: PoolAccess::map.
[[nodiscard]] ReadPass read_all_rows(const PoolSet& pools);

}  // namespace inkling
