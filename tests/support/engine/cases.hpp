// The random cases that a test goes through.
#pragma once

#include <concepts>
#include <cstdint>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling::test {

/// `many`, or a fifth of them under AddressSanitizer, where each case takes many times as long. The preset dev compares the
/// numbers of all cases, and a fifth of them is enough to show errors of memory.
template <typename Number>
constexpr Number cases(Number many) {
#ifdef __SANITIZE_ADDRESS__
  return many / 5;
#else
  return many;
#endif
}

/// Calls check(random) or check(random, trial) for the cases 0 ... count - 1; a failure names its seed and case.
template <typename Check>
void each_case(std::uint64_t seed, std::uint64_t count, const Check& check) {
  for (std::uint64_t trial = 0; trial < count; ++trial) {
    INFO("seed " << seed << " trial " << trial);
    RandomStream random = stream_for(seed, trial);
    if constexpr (std::invocable<const Check&, RandomStream&>)
      check(random);
    else
      check(random, trial);
  }
}

}  // namespace inkling::test
