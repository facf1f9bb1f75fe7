#include "bench/studies/estimate.hpp"

#include <cassert>
#include <cmath>

#include "engine/core/compensated_sum.hpp"

namespace inkling::bench {

Estimate estimate_of(std::span<const double> values) {
  assert(!values.empty());
  const auto count = static_cast<double>(values.size());
  CompensatedSum sum;
  for (const double value : values) sum.add(value);
  const double mean = sum.value() / count;
  CompensatedSum squares;
  for (const double value : values) squares.add((value - mean) * (value - mean));
  return {mean, values.size() < 2 ? 0.0 : std::sqrt(squares.value() / (count - 1.0) / count)};
}

}  // namespace inkling::bench
