// The least time in which this machine reads some number of bytes in order, or of cache lines at random places. The floors in
// bench/speed/RESULTS.md are these times for the bytes and lines that the work has to read.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "engine/core/random_stream.hpp"
#include "io/base/file/large_memory.hpp"

namespace inkling::bench {
namespace {

constexpr std::size_t kBytesOfMegabyte = 1'000'000;
constexpr std::size_t kWordsOfLine = 64 / sizeof(std::uint64_t);

LargeArray<std::uint64_t> filled_words(std::size_t bytes) {
  LargeArray<std::uint64_t> words(bytes / sizeof(std::uint64_t));
  for (std::size_t n = 0; n < words.size(); ++n) words[n] = n;
  return words;
}

void floor_read(benchmark::State& state) {
  const std::size_t bytes = static_cast<std::size_t>(state.range(0)) * kBytesOfMegabyte;
  const LargeArray<std::uint64_t> words = filled_words(bytes);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < words.size(); ++n) sum += words[n];
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

/// The places are drawn in advance, so that many loads overlap; each iteration reads other lines.
void floor_lines(benchmark::State& state) {
  const LargeArray<std::uint64_t> words = filled_words(static_cast<std::size_t>(state.range(1)) * kBytesOfMegabyte);
  RandomStream random(1, 0, RandomRole::pool);
  constexpr std::size_t most_places = std::size_t{1} << 23U;
  const auto lines = static_cast<std::size_t>(state.range(0));
  std::vector<std::uint32_t> places(most_places);
  for (std::uint32_t& place : places)
    place = static_cast<std::uint32_t>(random.below(words.size() / kWordsOfLine) * kWordsOfLine);
  std::size_t next = 0;
  for (auto _ : state) {
    if (next + lines > places.size()) next = 0;
    std::uint64_t sum = 0;
    for (std::size_t n = 0; n < lines; ++n) sum += words[places[next + n]];
    next += lines;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace

BENCHMARK(floor_read)->ArgName("MB")->Arg(823)->Unit(benchmark::kMillisecond);
BENCHMARK(floor_lines)->ArgNames({"lines", "MB"})->Args({1'500, 64})->Unit(benchmark::kMicrosecond);
BENCHMARK(floor_lines)->ArgNames({"lines", "MB"})->Args({4'767'691, 64})->Unit(benchmark::kMillisecond);

}  // namespace inkling::bench
