// The inner loops of both dense factors, in an order of operations that is part of the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

namespace inkling {

/// Two numbers in one register. Without it, compilers that vectorise loops over several sums keep these in memory, which takes
/// twice as long.
using Pair = double __attribute__((vector_size(2 * sizeof(double))));

[[nodiscard]] inline Pair pair_at(const double* numbers) noexcept {
  Pair pair;
  std::memcpy(&pair, numbers, sizeof pair);
  return pair;
}

/// Sum of a_i * b_i in eight interleaved partial sums: vectorises without reordering, so the bits are the
/// same with every compiler and instruction set.
[[nodiscard]] inline double dot(const double* a, const double* b, std::size_t count) noexcept {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> partial = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) partial[lane] += a[i + lane] * b[i + lane];
  double sum = ((partial[0] + partial[4]) + (partial[2] + partial[6])) + ((partial[1] + partial[5]) + (partial[3] + partial[7]));
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

/// y_i -= factor * x_i.
inline void subtract_scaled(double* __restrict y, double factor, const double* __restrict x, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) y[i] -= factor * x[i];
}

/// D^-1 y: each entry divided by its pivot.
inline void divide_by_pivots(std::span<const double> y, std::span<const double> pivots, std::span<double> quotients) noexcept {
  for (std::size_t j = 0; j < y.size(); ++j) quotients[j] = y[j] / pivots[j];
}

/// y' D^-1 y over the entries from `first` on.
[[nodiscard]] inline double form_over_pivots(std::span<const double> y, std::span<const double> pivots,
                                             std::size_t first) noexcept {
  double form = 0.0;
  for (std::size_t j = first; j < y.size(); ++j) form += y[j] * y[j] / pivots[j];
  return form;
}

}  // namespace inkling
