// How many random cases a test goes through.
#pragma once

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

}  // namespace inkling::test
