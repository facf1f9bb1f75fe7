// The distance of two doubles in units of the last place.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>

namespace inkling::test {

/// How many doubles lie between them. Requires: both finite.
[[nodiscard]] inline std::int64_t ulps_between(double a, double b) noexcept {
  const auto ordered = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? INT64_MIN - bits : bits;
  };
  return std::abs(ordered(a) - ordered(b));
}

}  // namespace inkling::test
