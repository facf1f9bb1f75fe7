// A term of at most 16 bytes as two numbers, which are compared and hashed faster than text.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/text/padded_text.hpp"

namespace inkling {

/// Invariant: the bytes after the term are zeros; terms hold no zeros, so different terms differ.
struct ShortTerm {
  static constexpr std::size_t most_bytes = 16;

  std::uint64_t head = 0;
  std::uint64_t tail = 0;

  bool operator==(const ShortTerm&) const = default;

  /// Requires: 1 <= term.size() <= most_bytes, and 16 bytes may be read.
  [[nodiscard]] static ShortTerm of_padded(std::string_view term) noexcept {
    static_assert(text_padding >= most_bytes && std::endian::native == std::endian::little);
    ShortTerm key;
    std::memcpy(&key.head, term.data(), 8);
    std::memcpy(&key.tail, term.data() + 8, 8);
    if (term.size() <= 8) {
      key.head &= ~std::uint64_t{0} >> (64 - 8 * term.size());
      key.tail = 0;
    } else {
      key.tail &= ~std::uint64_t{0} >> (128 - 8 * term.size());
    }
    return key;
  }

  /// Its bytes. Lifetime: lends the key.
  [[nodiscard]] std::string_view text() const& noexcept {
    const char* const bytes = reinterpret_cast<const char*>(this);
    const void* const end = std::memchr(bytes, 0, most_bytes);
    const std::size_t length =
        end == nullptr ? most_bytes : static_cast<std::size_t>(static_cast<const char*>(end) - bytes);
    return {bytes, length};
  }
  std::string_view text() const&& = delete;
};

/// All bits are good: tables take the highest or the lowest.
struct ShortTermHash {
  std::size_t operator()(const ShortTerm& term) const noexcept {
    std::uint64_t hash = term.head ^ (term.tail * 0x9E3779B97F4A7C15U);
    hash ^= hash >> 32U;
    hash *= 0xC4CEB9FE1A85EC53U;
    return hash ^ (hash >> 32U);
  }
};

}  // namespace inkling
