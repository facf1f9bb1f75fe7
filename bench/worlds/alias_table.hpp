// Draws from a list of weights in constant time (Walker's method, tables as Vose builds them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inkling::bench {

/// Index n comes with probability weights[n] / sum, but for 2^-32. Built of additions, products and quotients
/// in a fixed order: the same draws on every machine. Thread safety: const after construction.
class AliasTable {
 public:
  /// Requires: 1 to 2^31 weights, none negative, their sum positive and finite.
  explicit AliasTable(std::span<const double> weights);

  /// Turns 64 uniform bits into an index.
  [[nodiscard]] std::uint32_t draw(std::uint64_t bits) const noexcept {
    const std::uint64_t cell = ((bits >> 32U) * cells_.size()) >> 32U;
    const Cell& chosen = cells_[static_cast<std::size_t>(cell)];
    return (bits & 0xFFFFFFFFU) < chosen.keeps ? static_cast<std::uint32_t>(cell) : chosen.other;
  }

 private:
  struct Cell {
    std::uint32_t keeps;  // how many of 2^32 draws that fall here are this index
    std::uint32_t other;  // the rest are this one
  };

  std::vector<Cell> cells_;
};

}  // namespace inkling::bench
