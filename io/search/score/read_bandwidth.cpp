#include "io/search/score/read_bandwidth.hpp"

#include <array>
#include <cstring>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

namespace inkling {
namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::size_t kWordsAtOnce = 32;
constexpr std::size_t kWordsOfPiece = std::size_t{1} << 17U;

/// Many independent sums, so that no addition waits for the one before it.
__attribute__((always_inline)) inline std::uint64_t sum_of_words(const std::byte* from, std::size_t words) {
  std::array<std::uint64_t, kWordsAtOnce> sums{};
  std::size_t word = 0;
  for (; word + kWordsAtOnce <= words; word += kWordsAtOnce) {
    std::array<std::uint64_t, kWordsAtOnce> read{};
    std::memcpy(read.data(), from + word * kWordBytes, sizeof read);
    for (std::size_t lane = 0; lane < kWordsAtOnce; ++lane) sums[lane] += read[lane];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t lane : sums) sum += lane;
  for (; word < words; ++word) {
    std::uint64_t last = 0;
    std::memcpy(&last, from + word * kWordBytes, kWordBytes);
    sum += last;
  }
  return sum;
}

using Sum = std::uint64_t (*)(const std::byte* from, std::size_t words);

std::uint64_t plain_sum(const std::byte* from, std::size_t words) { return sum_of_words(from, words); }

#if defined(__x86_64__)
// By default, g++ uses vectors of half the width; clang does not have this option.
#  if defined(__clang__)
#    define INKLING_AVX512_SUM __attribute__((target("avx512f")))
#  else
#    define INKLING_AVX512_SUM __attribute__((target("avx512f,prefer-vector-width=512")))
#  endif

__attribute__((target("avx2"))) std::uint64_t avx2_sum(const std::byte* from, std::size_t words) {
  return sum_of_words(from, words);
}

INKLING_AVX512_SUM std::uint64_t avx512_sum(const std::byte* from, std::size_t words) { return sum_of_words(from, words); }
#endif

Sum widest_sum() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return avx512_sum;
  if (__builtin_cpu_supports("avx2")) return avx2_sum;
#endif
  return plain_sum;
}

}  // namespace

std::uint64_t sum_of_bytes(std::span<const std::byte> bytes) {
  const Sum sum = widest_sum();
  const std::size_t words = bytes.size() / kWordBytes;
  std::uint64_t last = 0;
  const std::span<const std::byte> rest = bytes.subspan(words * kWordBytes);
  if (!rest.empty()) std::memcpy(&last, rest.data(), rest.size());
  return last + tbb::parallel_reduce(
                    tbb::blocked_range<std::size_t>(0, words, kWordsOfPiece), std::uint64_t{0},
                    [&](const tbb::blocked_range<std::size_t>& range, std::uint64_t so_far) {
                      return so_far + sum(bytes.data() + range.begin() * kWordBytes, range.size());
                    },
                    [](std::uint64_t one, std::uint64_t other) { return one + other; });
}

ReadPass read_all_rows(const PoolSet& pools) {
  ReadPass pass;
  const auto read = [&](std::span<const std::byte> bytes) {
    pass.bytes += bytes.size();
    pass.checksum += sum_of_bytes(bytes);
  };
  for (std::size_t pool = 0; pool < pools.pools(); ++pool) {
    const CsrView rows = pools.view(pool).by_document;
    read(std::as_bytes(rows.offsets().subspan(1)));
    read(std::as_bytes(rows.features().unchecked()));
    read(std::as_bytes(rows.values()));
  }
  return pass;
}

}  // namespace inkling
