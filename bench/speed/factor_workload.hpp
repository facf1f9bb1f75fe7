// What a Cholesky factor of text-like documents is given to do: rows played, rows to come, features to be
// born.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/worlds/text_like_rows.hpp"
#include "engine/model/cholesky_factor.hpp"

namespace inkling::bench {

/// The last row and column with which a gram grows, as CholeskyFactor::append takes it.
struct FactorBirth {
  std::vector<double> b;
  double c;
};

struct FactorWorkload {
  static constexpr std::int32_t births_prepared = 8;
  static constexpr double ridge = 1.0;

  std::int32_t size = 0;            ///< features of the gram before any birth
  PlayedRows played = {};           ///< of `size` features
  PlayedRows upcoming = {};         ///< rows to solve for and to learn, none empty; more than a few
  std::vector<FactorBirth> births;  ///< in order: each is one entry longer than the one before

  /// As much room as a model that doubles its capacity has on average.
  [[nodiscard]] std::int32_t capacity() const noexcept { return size + size / 2 + births_prepared; }

  /// `factor` becomes that of the played rows.
  void rebuild(CholeskyFactor& factor) const { factor.rebuild(played, ridge, size, capacity()); }
};

/// Requires: size >= 1, rows >= 0.
[[nodiscard]] FactorWorkload make_factor_workload(std::int32_t size, std::int32_t rows, FrequencyBand band,
                                                  std::uint64_t seed);

}  // namespace inkling::bench
