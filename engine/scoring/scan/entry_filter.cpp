#include "engine/scoring/scan/entry_filter.hpp"

#include <cassert>

#if defined(__x86_64__)
#  include <immintrin.h>
#  define INKLING_WIDE_FILTER 1
#endif

#if defined(__GNUC__) && !defined(__clang__)
// The intrinsics of g++ 12 use undefined registers on purpose, which sets off this warning.
#  pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace inkling {
namespace {

constexpr std::size_t kWordBits = PassedEntries::word_bits;
std::uint64_t plain_word(const FeatureBits& bits, const FeatureId* features, std::size_t count) noexcept {
  std::uint64_t word = 0;
  for (std::size_t bit = 0; bit < count; ++bit) word |= static_cast<std::uint64_t>(bits.may_hold(features[bit]) ? 1U : 0U) << bit;
  return word;
}

// Each of these fills the words that are full, with an entry for every bit.
void pass_plain(const FeatureBits& bits, SparseRow entries, std::uint64_t* passed) {
  for (std::size_t n = 0; n + kWordBits <= entries.size(); n += kWordBits)
    *passed++ = plain_word(bits, entries.features.unchecked().data() + n, kWordBits);
}

/// Lists the places of the bits that are set. They are written in groups of `at_once`, so that in most words
/// no branch depends on how many there are.
__attribute__((always_inline)) inline void list_passed(PassedEntries& passed, std::size_t words) {
  std::uint16_t* to = passed.entries.data();
  for (std::size_t word = 0; word < words; ++word) {
    passed.before[word] = static_cast<std::uint16_t>(to - passed.entries.data());
    std::uint64_t rest = passed.words[word];
    const auto count = static_cast<std::size_t>(std::popcount(rest));
    constexpr std::uint64_t last = std::uint64_t{1} << (kWordBits - 1);
    for (std::size_t done = 0;;) {
      for (std::size_t n = 0; n < PassedEntries::at_once; ++n, rest &= rest - 1)
        to[done + n] = static_cast<std::uint16_t>(word * kWordBits + static_cast<std::size_t>(std::countr_zero(rest | last)));
      done += PassedEntries::at_once;
      if (done >= count) break;
    }
    to += count;
  }
  passed.count = static_cast<std::size_t>(to - passed.entries.data());
  passed.before[words] = static_cast<std::uint16_t>(passed.count);
  passed.words[words] = 0;
}

#ifdef INKLING_WIDE_FILTER

/// Fetches the cache lines of the entries that one word of bits covers.
void fetch_ahead(const FeatureId* features, const float* values) noexcept {
  constexpr std::size_t ahead = PassedEntries::most_entries / 2;
  for (std::size_t n = ahead; n < ahead + kWordBits; n += 16) {
    __builtin_prefetch(features + n);
    __builtin_prefetch(values + n);
  }
}

#  define INKLING_AVX512 __attribute__((target("avx512f,avx512dq")))

/// The words of a table by the low five bits of each number, rotated so that the bit of the number is the
/// sign.
struct WideTable {
  __m512i low, high;
};

INKLING_AVX512 inline __m512i signs_of(const WideTable& table, __m512i numbers, __m512i places) {
  return _mm512_rorv_epi32(_mm512_permutex2var_epi32(table.low, numbers, table.high), places);
}

INKLING_AVX512 void pass_avx512(const FeatureBits& bits, SparseRow entries, std::uint64_t* passed) {
  const std::uint32_t* const by_low = bits.by_low_bits.data();
  const std::uint32_t* const by_high = bits.by_high_bits.data();
  const WideTable low_bits = {_mm512_loadu_si512(by_low), _mm512_loadu_si512(by_low + 16)};
  const WideTable high_bits = {_mm512_loadu_si512(by_high), _mm512_loadu_si512(by_high + 16)};
  const FeatureId* from = entries.features.unchecked().data();
  const float* values = entries.values.data();
  const FeatureId* const last = from + entries.size() / kWordBits * kWordBits;
  for (; from != last; from += kWordBits) {
    fetch_ahead(from, values);
    values += kWordBits;
    std::uint64_t word = 0;
    for (unsigned part = 0; part < kWordBits; part += 16) {
      const __m512i id = _mm512_loadu_si512(from + part);
      const __m512i one = signs_of(low_bits, id, _mm512_srli_epi32(id, 5));
      const __m512i other =
          signs_of(high_bits, _mm512_srli_epi32(id, FeatureBits::low_bits), _mm512_srli_epi32(id, FeatureBits::low_bits + 5));
      word |= static_cast<std::uint64_t>(_mm512_movepi32_mask(_mm512_and_si512(one, other))) << part;
    }
    *passed++ = word;
  }
}

#  define INKLING_AVX2 __attribute__((target("avx2")))

/// One table in four registers of eight words: the two bits of the id above the three that choose the word
/// choose the register.
INKLING_AVX2 void pass_avx2(const FeatureBits& bits, SparseRow entries, std::uint64_t* passed) {
  __m256i part_of_table[4];
  for (std::size_t n = 0; n < 4; ++n)
    part_of_table[n] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bits.by_low_bits.data() + 8 * n));
  const FeatureId* from = entries.features.unchecked().data();
  const float* values = entries.values.data();
  const FeatureId* const last = from + entries.size() / kWordBits * kWordBits;
  for (; from != last; from += kWordBits) {
    fetch_ahead(from, values);
    values += kWordBits;
    std::uint64_t word = 0;
    for (unsigned part = 0; part < kWordBits; part += 8) {
      const __m256i id = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + part));
      // A blend looks at the sign of each lane alone.
      const __m256 odd = _mm256_castsi256_ps(_mm256_slli_epi32(id, 28));
      const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(id, 27));
      __m256 held[4];
      for (std::size_t n = 0; n < 4; ++n) held[n] = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(part_of_table[n], id));
      const __m256 chosen =
          _mm256_blendv_ps(_mm256_blendv_ps(held[0], held[1], odd), _mm256_blendv_ps(held[2], held[3], odd), upper);
      // AVX2 has no rotation; the wanted bit is among those shifted out on the left, except for place 0.
      const __m256i place = _mm256_and_si256(_mm256_srli_epi32(id, 5), _mm256_set1_epi32(31));
      const __m256i words = _mm256_castps_si256(chosen);
      const __m256i left = _mm256_sub_epi32(_mm256_set1_epi32(32), place);
      const __m256i sign = _mm256_or_si256(_mm256_srlv_epi32(words, place), _mm256_sllv_epi32(words, left));
      const auto eight = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(sign)));
      word |= static_cast<std::uint64_t>(eight) << part;
    }
    *passed++ = word;
  }
}

bool has_bit_counts() noexcept { return __builtin_cpu_supports("popcnt") != 0 && __builtin_cpu_supports("bmi") != 0; }

__attribute__((target("popcnt,bmi"))) void list_with_popcnt(PassedEntries& passed, std::size_t words) {
  list_passed(passed, words);
}

#endif

}  // namespace

FeatureBits::FeatureBits(std::span<const FeatureId> features) {
  const auto add = [](Table& table, std::uint32_t number) {
    const std::uint32_t sign = std::uint32_t{1} << 31U;
    table[number % words_in_table] |= std::rotl(sign, static_cast<int>(number / words_in_table % 32));
  };
  for (const FeatureId feature : features) {
    const auto id = static_cast<std::uint32_t>(feature);
    add(by_low_bits, id);
    add(by_high_bits, id >> low_bits);
  }
}

bool is_offered(FilterMethod method) noexcept {
  switch (method) {
    case FilterMethod::plain: return true;
#ifdef INKLING_WIDE_FILTER
    case FilterMethod::avx2: return __builtin_cpu_supports("avx2") != 0 && has_bit_counts();
    case FilterMethod::avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 && has_bit_counts();
#else
    case FilterMethod::avx2:
    case FilterMethod::avx512: return false;
#endif
  }
  return false;
}

FilterMethod widest_filter() noexcept {
  if (is_offered(FilterMethod::avx512)) return FilterMethod::avx512;
  if (is_offered(FilterMethod::avx2)) return FilterMethod::avx2;
  return FilterMethod::plain;
}

void pass_entries(const FeatureBits& bits, SparseRow entries, [[maybe_unused]] FilterMethod method, PassedEntries& passed) {
  assert(entries.size() <= PassedEntries::most_entries && is_offered(method));
  const std::size_t words = (entries.size() + kWordBits - 1) / kWordBits;
  std::uint64_t* const to = passed.words.data();
  const std::size_t rest = entries.size() % kWordBits;
  if (rest != 0) to[words - 1] = plain_word(bits, entries.features.unchecked().last(rest).data(), rest);
#ifdef INKLING_WIDE_FILTER
  if (method != FilterMethod::plain) {
    method == FilterMethod::avx512 ? pass_avx512(bits, entries, to) : pass_avx2(bits, entries, to);
    return list_with_popcnt(passed, words);
  }
#endif
  pass_plain(bits, entries, to);
  list_passed(passed, words);
}

}  // namespace inkling
