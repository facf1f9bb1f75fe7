#include "io/corpus/terms/term_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>
#  define INKLING_TERMS_BY_FOURS
#endif

namespace inkling {
namespace {

// Terms are below 2^31, so that a term and a bit fit in four bytes. The bit says that the count is not 1.
constexpr std::size_t kLongestTerm = 4;
constexpr std::size_t kLengthsInAByte = 4;  // two bits each
constexpr std::uint32_t kMostInAByte = 0x7F;
constexpr std::size_t kWideBytes = 16;

// 1 if `number` is larger, else 0. Subtracts, because compilers make a branch of a comparison, and it could not be
// predicted.
std::uint32_t is_above(std::uint32_t number, std::uint32_t other) {
  return static_cast<std::uint32_t>((std::uint64_t{other} - number) >> 63U);
}

std::uint32_t length_of_term(std::uint32_t term) {
  return 1 + is_above(term, 0xFF) + is_above(term, 0xFFFF) + is_above(term, 0xFFFFFF);
}

// Has no branches: always writes four bytes, and advances by as many as the number needs.
std::byte* write_terms(std::byte* out, std::byte* length_of, std::span<const TermCount> document) {
  for (std::size_t n = 0; n < document.size();) {
    std::uint32_t lengths_of_four = 0;
    const std::size_t end = std::min(n + kLengthsInAByte, document.size());
    for (unsigned shift = 0; n < end; ++n, shift += 2) {
      const std::uint32_t term = (document[n].term << 1U) | is_above(document[n].count, 1);
      const std::uint32_t length = length_of_term(term);
      std::memcpy(out, &term, kLongestTerm);
      out += length;
      lengths_of_four |= (length - 1) << shift;
    }
    *length_of++ = static_cast<std::byte>(lengths_of_four);
  }
  return out;
}

// Has no branches for most counts: always writes one byte, and advances by it unless the count is 1. Few counts need more
// bytes.
std::byte* write_counts(std::byte* out, std::span<const TermCount> document) {
  for (const TermCount& entry : document) {
    *out = static_cast<std::byte>(entry.count);
    out += is_above(entry.count, 1);
    if (entry.count > kMostInAByte) [[unlikely]]
      out = write_number(out - 1, entry.count);
  }
  return out;
}

// Sets each count to 1, or to 2 if the count is still to be read.
const std::byte* read_terms(const std::byte* in, const std::byte* length_of, std::span<TermCount> document) {
  for (std::size_t n = 0; n < document.size(); ++n) {
    const unsigned length = ((static_cast<unsigned>(length_of[n / kLengthsInAByte]) >> (2 * (n % kLengthsInAByte))) & 3U) + 1;
    std::uint32_t term = 0;
    std::memcpy(&term, in, kLongestTerm);
    term &= 0xFFFFFFFFU >> (32 - 8 * length);
    in += length;
    document[n] = {term >> 1U, 1 + (term & 1U)};
  }
  return in;
}

const std::byte* read_counts(const std::byte* in, std::span<TermCount> document, std::uint32_t& no_counts) {
  for (TermCount& entry : document) {
    const std::uint32_t repeated = entry.count - 1;
    const auto byte = static_cast<std::uint32_t>(*in);
    if ((repeated & (byte >> 7U)) != 0) [[unlikely]] {
      entry.count = read_number(in).value_or(0);
      no_counts |= entry.count == 0 ? 1U : 0U;
      continue;
    }
    entry.count = repeated != 0 ? byte : 1;
    no_counts |= entry.count == 0 ? 1U : 0U;
    in += repeated;
  }
  return in;
}

#ifdef INKLING_TERMS_BY_FOURS

#  define INKLING_SSSE3 __attribute__((target("ssse3")))

// For each value of a byte with four lengths: how to permute the bytes of the terms, and how many bytes they have.
struct FourTerms {
  alignas(kWideBytes) std::array<std::array<std::uint8_t, kWideBytes>, 256> apart{};     // 4 terms of 4 bytes
  alignas(kWideBytes) std::array<std::array<std::uint8_t, kWideBytes>, 256> together{};  // the other way
  std::array<std::uint8_t, 256> bytes{};
};

constexpr FourTerms kFourTerms = [] {
  constexpr std::uint8_t zero = 0x80;
  FourTerms four;
  for (std::size_t lengths = 0; lengths < 256; ++lengths) {
    four.apart[lengths].fill(zero);
    four.together[lengths].fill(zero);
    std::size_t at = 0;
    for (std::size_t term = 0; term < kLengthsInAByte; ++term) {
      for (std::size_t byte = 0; byte <= ((lengths >> (2 * term)) & 3U); ++byte, ++at) {
        four.apart[lengths][kLongestTerm * term + byte] = static_cast<std::uint8_t>(at);
        four.together[lengths][at] = static_cast<std::uint8_t>(kLongestTerm * term + byte);
      }
    }
    four.bytes[lengths] = static_cast<std::uint8_t>(at);
  }
  return four;
}();

__m128i load_wide(const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); }
void store_wide(void* to, __m128i bytes) { _mm_storeu_si128(static_cast<__m128i*>(to), bytes); }

struct WideEntries {
  __m128i terms, counts;
};

WideEntries load_four(const TermCount* entries) {
  const __m128 two = _mm_castsi128_ps(load_wide(entries));
  const __m128 others = _mm_castsi128_ps(load_wide(entries + 2));
  return {_mm_castps_si128(_mm_shuffle_ps(two, others, _MM_SHUFFLE(2, 0, 2, 0))),
          _mm_castps_si128(_mm_shuffle_ps(two, others, _MM_SHUFFLE(3, 1, 3, 1)))};
}

// Calls `visit(entry)` for each entry whose count is not 1, in order. Makes a bit of each count first, so that no branch
// depends on counts of 1. Returns how many entries it looked at; fewer than four are left.
template <typename Entry, typename Visit>
std::size_t visit_repeated(std::span<Entry> document, const Visit& visit) {
  const std::size_t wide = document.size() - document.size() % 4;
  for (std::size_t begin = 0; begin < wide; begin += 64) {
    Entry* const entries = &document[begin];
    const std::size_t size = std::min<std::size_t>(64, wide - begin);
    std::uint64_t repeated = 0;
    for (std::size_t n = 0; n < size; n += 4) {
      const __m128i once = _mm_cmpeq_epi32(load_four(entries + n).counts, _mm_set1_epi32(1));
      const auto bits = static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(once)));
      repeated |= std::uint64_t{bits ^ 0xFU} << n;
    }
    for (; repeated != 0; repeated &= repeated - 1) visit(entries[static_cast<std::size_t>(std::countr_zero(repeated))]);
  }
  return wide;
}

INKLING_SSSE3 std::byte* write_terms_by_fours(std::byte* out, std::byte* length_of, std::span<const TermCount> document) {
  const __m128i zero = _mm_setzero_si128();
  const std::size_t wide = document.size() - document.size() % kLengthsInAByte;
  for (std::size_t n = 0; n < wide; n += kLengthsInAByte) {
    const WideEntries four = load_four(&document[n]);
    const __m128i once = _mm_cmpeq_epi32(four.counts, _mm_set1_epi32(1));
    // Adds the bit: 1, or 0 if the count is 1, as the sum of 1 and all ones.
    const __m128i terms = _mm_add_epi32(_mm_slli_epi32(four.terms, 1), _mm_add_epi32(once, _mm_set1_epi32(1)));
    // The length less one: 3, less 1 for each of the upper bytes that is zero together with all bytes above it.
    __m128i lengths = _mm_add_epi32(_mm_set1_epi32(3), _mm_cmpeq_epi32(_mm_srli_epi32(terms, 8), zero));
    lengths = _mm_add_epi32(lengths, _mm_cmpeq_epi32(_mm_srli_epi32(terms, 16), zero));
    lengths = _mm_add_epi32(lengths, _mm_cmpeq_epi32(_mm_srli_epi32(terms, 24), zero));
    lengths = _mm_packs_epi32(lengths, lengths);
    lengths = _mm_packus_epi16(lengths, lengths);
    // Packs four lengths, a byte each, into two bits each: the product has them in its highest byte.
    constexpr std::uint32_t bring_together = (1U << 24U) | (1U << 18U) | (1U << 12U) | (1U << 6U);
    const std::uint32_t in_a_byte = (static_cast<std::uint32_t>(_mm_cvtsi128_si32(lengths)) * bring_together) >> 24U;
    store_wide(out, _mm_shuffle_epi8(terms, load_wide(&kFourTerms.together[in_a_byte])));
    out += kFourTerms.bytes[in_a_byte];
    *length_of++ = static_cast<std::byte>(in_a_byte);
  }
  return write_terms(out, length_of, document.subspan(wide));
}

std::byte* write_counts_by_fours(std::byte* out, std::span<const TermCount> document) {
  const std::size_t written = visit_repeated(document, [&out](const TermCount& entry) {
    *out++ = static_cast<std::byte>(entry.count);
    if (entry.count > kMostInAByte) [[unlikely]]
      out = write_number(out - 1, entry.count);
  });
  return write_counts(out, document.subspan(written));
}

INKLING_SSSE3 const std::byte* read_terms_by_fours(const std::byte* in, const std::byte* length_of,
                                                   std::span<TermCount> document) {
  const __m128i one = _mm_set1_epi32(1);
  const std::size_t wide = document.size() - document.size() % kLengthsInAByte;
  for (std::size_t n = 0; n < wide; n += kLengthsInAByte) {
    const auto lengths = static_cast<std::size_t>(*length_of++);
    const __m128i terms = _mm_shuffle_epi8(load_wide(in), load_wide(&kFourTerms.apart[lengths]));
    const __m128i counts = _mm_add_epi32(_mm_and_si128(terms, one), one);
    const __m128i numbers = _mm_srli_epi32(terms, 1);
    store_wide(&document[n], _mm_unpacklo_epi32(numbers, counts));
    store_wide(&document[n + 2], _mm_unpackhi_epi32(numbers, counts));
    in += kFourTerms.bytes[lengths];
  }
  return read_terms(in, length_of, document.subspan(wide));
}

const std::byte* read_counts_by_fours(const std::byte* in, std::span<TermCount> document, std::uint32_t& no_counts) {
  const std::size_t read = visit_repeated(document, [&](TermCount& entry) {
    entry.count = static_cast<std::uint32_t>(*in++);
    if (entry.count > kMostInAByte) [[unlikely]]
      entry.count = read_number(--in).value_or(0);
    no_counts |= entry.count == 0 ? 1U : 0U;
  });
  return read_counts(in, document.subspan(read), no_counts);
}

#endif

}  // namespace

bool can_code(TermCoding coding) noexcept {
#ifdef INKLING_TERMS_BY_FOURS
  if (coding == TermCoding::by_fours) return __builtin_cpu_supports("ssse3") != 0;
#endif
  return coding == TermCoding::plain;
}

TermCoding fastest_term_coding() noexcept { return can_code(TermCoding::by_fours) ? TermCoding::by_fours : TermCoding::plain; }

std::byte* write_number(std::byte* out, std::uint32_t number) {
  for (; number > kMostInAByte; number >>= 7U) *out++ = static_cast<std::byte>(number | 0x80U);
  *out++ = static_cast<std::byte>(number);
  return out;
}

std::optional<std::uint32_t> read_number(const std::byte*& in) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 7 * kLongestNumber; shift += 7) {
    const auto byte = static_cast<std::uint32_t>(*in++);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte > kMostInAByte) continue;
    if (number >> 32U != 0) return std::nullopt;
    return static_cast<std::uint32_t>(number);
  }
  return std::nullopt;
}

std::size_t length_bytes(std::size_t entries) { return (entries + kLengthsInAByte - 1) / kLengthsInAByte; }

std::size_t most_entry_bytes(std::size_t entries) {
  return length_bytes(entries) + (kLongestTerm + kLongestNumber) * entries + kWideBytes;
}

std::byte* write_entries(std::byte* out, std::span<const TermCount> document, [[maybe_unused]] TermCoding coding) {
  assert(can_code(coding));
  std::byte* const terms = out + length_bytes(document.size());
#ifdef INKLING_TERMS_BY_FOURS
  if (coding == TermCoding::by_fours) return write_counts_by_fours(write_terms_by_fours(terms, out, document), document);
#endif
  return write_counts(write_terms(terms, out, document), document);
}

const std::byte* read_entries(const std::byte* in, std::span<TermCount> document, [[maybe_unused]] TermCoding coding) {
  assert(can_code(coding));
  const std::byte* const terms = in + length_bytes(document.size());
  std::uint32_t no_counts = 0;
#ifdef INKLING_TERMS_BY_FOURS
  if (coding == TermCoding::by_fours) {
    const std::byte* const counts = read_terms_by_fours(terms, in, document);
    const std::byte* const end = read_counts_by_fours(counts, document, no_counts);
    return no_counts == 0 ? end : nullptr;
  }
#endif
  const std::byte* const end = read_counts(read_terms(terms, in, document), document, no_counts);
  return no_counts == 0 ? end : nullptr;
}

}  // namespace inkling
