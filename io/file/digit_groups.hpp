// Whole numbers as messages show them.
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <string>

namespace inkling {

/// "1,048,576".
[[nodiscard]] std::string digit_groups(std::uint64_t number);

/// The same for a number of a signed type. Requires: number >= 0.
template <std::signed_integral Number>
[[nodiscard]] std::string digit_groups(Number number) {
  assert(number >= 0);
  return digit_groups(static_cast<std::uint64_t>(number));
}

}  // namespace inkling
