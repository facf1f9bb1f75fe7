// Numbers as most formats of files have them: with their lowest byte first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inkling {

/// The number of so many bytes at a position. Requires: they are within `bytes`.
[[nodiscard]] inline std::uint64_t low_first(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t n = size; n > 0; --n) number = number << 8U | static_cast<unsigned char>(bytes[at + n - 1]);
  return number;
}

}  // namespace inkling
