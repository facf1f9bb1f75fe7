// How many random cases a test goes through.
#pragma once

namespace inkling::test {

/// `many`, or a fifth of them under AddressSanitizer: what the numbers of each case are, the preset dev has compared in all
/// of them; what a case does to memory, where it takes many times as long, few of them show.
template <typename Number>
constexpr Number cases(Number many) {
#ifdef __SANITIZE_ADDRESS__
  return many / 5;
#else
  return many;
#endif
}

}  // namespace inkling::test
