// Which bits of a word are set, one after the other.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#  include <emmintrin.h>
#endif

namespace inkling {

/// The output needs room for so many more numbers behind its end: they may be overwritten.
inline constexpr std::size_t kRoomForSetBits = 8;

/// Writes, for each bit that is set, the sum of `first` and the bit's number, ascending. Returns their end. Requires:
/// room for kRoomForSetBits more numbers behind them.
inline std::uint16_t* write_set_bits_plain(std::uint16_t* out, std::uint64_t bits, std::uint16_t first) {
  for (; bits != 0; bits &= bits - 1) *out++ = static_cast<std::uint16_t>(first + std::countr_zero(bits));
  return out;
}

#if defined(__SSE2__)

/// Which bits are set in each value of a byte, and how many.
struct BitsOfByte {
  alignas(8) std::array<std::array<std::uint8_t, 8>, 256> places{};
  std::array<std::uint8_t, 256> count{};
};

inline constexpr BitsOfByte kBitsOfByte = [] {
  BitsOfByte bits;
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::uint8_t bit = 0; bit < 8; ++bit)
      if (((byte >> bit) & 1U) != 0) bits.places[byte][bits.count[byte]++] = bit;
  }
  return bits;
}();

/// The same by a table, eight bits at a time, without branches: how many bits are set cannot be predicted.
inline std::uint16_t* write_set_bits(std::uint16_t* out, std::uint64_t bits, std::uint16_t first) {
  __m128i from = _mm_set1_epi16(static_cast<short>(first));
  for (unsigned n = 0; n < 8; ++n) {
    const auto byte = static_cast<std::size_t>((bits >> (8 * n)) & 0xFFU);
    const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kBitsOfByte.places[byte].data()));
    const __m128i wide = _mm_add_epi16(_mm_unpacklo_epi8(places, _mm_setzero_si128()), from);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), wide);
    out += kBitsOfByte.count[byte];
    from = _mm_add_epi16(from, _mm_set1_epi16(8));
  }
  return out;
}

#else

inline std::uint16_t* write_set_bits(std::uint16_t* out, std::uint64_t bits, std::uint16_t first) {
  return write_set_bits_plain(out, bits, first);
}

#endif

}  // namespace inkling
