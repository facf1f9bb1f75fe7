// Random bytes of the system.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace inkling {

/// Fills `bytes` with numbers that nobody can guess. Throws SystemError.
void fill_random(std::span<std::byte> bytes);

/// One such number, or an array of them.
template <typename Value>
[[nodiscard]] Value random_value() {
  static_assert(std::is_trivially_copyable_v<Value>);
  Value value{};
  fill_random(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

}  // namespace inkling
