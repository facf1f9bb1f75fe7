// The norm by which the values of each row were divided; columns need it when they are formed at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// The norms of rows in order: in memory, or in a temporary file if they need too much of it.
class RowNorms {
 public:
  /// `memory`: bytes that they may take.
  RowNorms(const PoolStaging& staging, std::uint64_t memory) : staging_(staging), memory_(memory) {}

  void append(std::span<const double> norms);
  /// The norms of a group of rows; they may lie in `buffer`. Lifetime: as long as this and the buffer. Thread safety: any
  /// thread, each with its own buffer, after the last append().
  [[nodiscard]] const double* of_group(std::uint32_t group, std::vector<double>& buffer) const;

 private:
  const PoolStaging& staging_;
  std::uint64_t memory_;
  std::vector<double> kept_;
  std::optional<ScratchFile> scratch_;  // holds all norms if `kept_` cannot
};

}  // namespace inkling
