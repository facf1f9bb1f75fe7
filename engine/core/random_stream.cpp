#include "engine/core/random_stream.hpp"

#include <bit>
#include <cassert>

#include "engine/core/portable_math.hpp"

namespace inkling {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t split_mix(std::uint64_t& state) noexcept {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t trial, RandomRole role) noexcept {
  // Each part is mixed before the next is added, so that (1, 2) and (2, 1) start far apart.
  std::uint64_t mixed = seed;
  mixed = split_mix(mixed) ^ trial;
  mixed = split_mix(mixed) ^ static_cast<std::uint64_t>(role);
  for (std::uint64_t& word : state_) word = split_mix(mixed);
}

std::uint64_t RandomStream::next() noexcept {
  const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t RandomStream::below(std::uint64_t bound) noexcept {
  assert(bound > 0);
  const std::uint64_t rejected_below = (0U - bound) % bound;
  for (;;) {
    const Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) >= rejected_below) return static_cast<std::uint64_t>(product >> 64U);
  }
}

double RandomStream::normal() noexcept {
  // The middle of one of 2^52 equal cells: exactly representable, never 0 or 1.
  return normal_quantile((static_cast<double>(next() >> 12U) + 0.5) * 0x1.0p-52);
}

}  // namespace inkling
