// `inkling-bench factor`: which Cholesky factor is faster where.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bench/speed/factor_comparison.hpp"
#include "io/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command factor_command();

/// One cell of the comparison; without a band it is the smallest factor there is, whose time is all overhead.
struct FactorCell {
  std::optional<FrequencyBand> band;
  std::int32_t size = 1;
  std::int32_t rows = 0;
  FactorComparison result = {};
};

/// The head of the table, and one line of it a cell, each with its line break.
[[nodiscard]] std::string factor_table_head();
[[nodiscard]] std::string factor_table_line(const FactorCell& cell);

/// One JSON object on one line.
[[nodiscard]] std::string factor_json(std::uint64_t seed, std::span<const FactorCell> cells);

}  // namespace inkling::bench
