// Lower case and kind of 64 bytes at once.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#  include <emmintrin.h>
#endif

namespace inkling {

/// One bit for each of 64 bytes, the lowest for the first byte.
struct ByteClasses {
  std::uint64_t letters = 0;    ///< A to Z and a to z
  std::uint64_t others = 0;     ///< 0 to 9 and the underscore
  std::uint64_t non_ascii = 0;  ///< 128 and above
};

/// Writes 64 bytes to `out` with A to Z in lower case, and tells what they are. `in`
/// and `out` may be the same.
inline ByteClasses lower_and_classify_plain(const char* in, char* out) {
  ByteClasses classes;
  for (unsigned i = 0; i < 64; ++i) {
    const auto byte = static_cast<unsigned char>(in[i]);
    const bool upper = byte >= 'A' && byte <= 'Z';
    const auto lower = static_cast<unsigned char>(upper ? byte + ('a' - 'A') : byte);
    out[i] = static_cast<char>(lower);
    classes.letters |= std::uint64_t{lower >= 'a' && lower <= 'z'} << i;
    classes.others |= std::uint64_t{(byte >= '0' && byte <= '9') || byte == '_'} << i;
    classes.non_ascii |= std::uint64_t{byte >= 0x80} << i;
  }
  return classes;
}

#if defined(__SSE2__)

/// The same, 16 bytes an instruction.
inline ByteClasses lower_and_classify(const char* in, char* out) {
  // Signed comparisons: bytes from 128 on are negative and so in none of the ranges.
  const auto within = [](__m128i bytes, char first, char last) {
    return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(static_cast<char>(first - 1))),
                         _mm_cmplt_epi8(bytes, _mm_set1_epi8(static_cast<char>(last + 1))));
  };
  const auto bits = [](__m128i mask) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(mask))); };
  ByteClasses classes;
  for (unsigned i = 0; i < 64; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i));
    const __m128i upper = within(bytes, 'A', 'Z');
    const __m128i lower = _mm_add_epi8(bytes, _mm_and_si128(upper, _mm_set1_epi8('a' - 'A')));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), lower);
    const __m128i other = _mm_or_si128(within(bytes, '0', '9'), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
    classes.letters |= bits(within(lower, 'a', 'z')) << i;
    classes.others |= bits(other) << i;
    classes.non_ascii |= bits(bytes) << i;
  }
  return classes;
}

#else

inline ByteClasses lower_and_classify(const char* in, char* out) { return lower_and_classify_plain(in, out); }

#endif

}  // namespace inkling
