// Whole numbers as messages show them.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>

namespace inkling {

/// "1,048,576". Requires: number >= 0.
template <std::integral Number>
[[nodiscard]] std::string digit_groups(Number number) {
  assert(std::cmp_greater_equal(number, 0));
  std::string digits = std::to_string(number);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

}  // namespace inkling
