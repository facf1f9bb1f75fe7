// Whole numbers as messages show them.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
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

/// "1 document", "2,000 documents". Requires: count >= 0.
template <std::integral Number>
[[nodiscard]] std::string counted(Number count, std::string_view one, std::string_view many) {
  return digit_groups(count).append(1, ' ').append(std::cmp_equal(count, 1) ? one : many);
}

}  // namespace inkling
