// Reads the arrays that a scan of rows reads and only adds them up: how long memory alone takes.
#pragma once

#include <cstdint>

#include "io/pool/set/pool_set.hpp"

namespace inkling {

struct ReadPass {
  std::uint64_t bytes = 0;     ///< 8 a non-zero and 8 a row, as ScanTotals counts them
  std::uint64_t checksum = 0;  ///< the sum of all words, so that the compiler can leave nothing out
};

/// Sums the offsets, features and values of all rows as words of 8 bytes, on all threads, in the widest steps
/// that the processor offers. The clock is the caller's. Requires: PoolAccess::map.
[[nodiscard]] ReadPass read_all_rows(const PoolSet& pools);

}  // namespace inkling
