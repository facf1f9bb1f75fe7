// What the values of each row were divided by, for the columns that are formed at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// Norms of rows in order, in memory as long as there is enough.
class RowNorms {
 public:
  /// `memory`: bytes that they may take.
  RowNorms(const PoolStaging& staging, std::uint64_t memory) : staging_(staging), memory_(memory) {}

  void append(std::span<const double> norms);
  /// Those of a group of rows. `buffer` may be used for them. Lifetime: that of the norms and of the buffer.
  /// Thread safety: any thread, each with a buffer of its own, once all were appended.
  [[nodiscard]] const double* of_group(std::uint32_t group, std::vector<double>& buffer) const;

 private:
  const PoolStaging& staging_;
  std::uint64_t memory_;
  std::vector<double> kept_;
  std::optional<ScratchFile> scratch_;  // with those that are not kept, which are all or none
};

}  // namespace inkling
