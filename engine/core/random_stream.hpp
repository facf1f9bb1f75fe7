// A stream of random draws that is a value: code that draws takes one as an argument.
#pragma once

#include <array>
#include <cstdint>

namespace inkling {

/// What a stream is for; each role of a trial has its own stream, so that a change in how often one part
/// draws leaves the numbers of the others alone.
enum class RandomRole : std::uint64_t {
  pool = 1,
  target = 2,
  reward = 3,
  marks = 4,
  exploration = 5,
  sampling = 6,
  subset = 7,
  documents = 8,
  topics = 9,
  projection = 10
};

/// xoshiro256++ (Blackman and Vigna 2019) seeded from (seed, trial, role) through SplitMix64.
/// The numbers are defined by integer arithmetic and `portable_math` alone: the same on every machine and
/// compiler. Thread safety: none; a stream belongs to one thread.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::uint64_t trial, RandomRole role) noexcept;

  /// 64 uniform bits.
  [[nodiscard]] std::uint64_t next() noexcept;

  /// Uniform in {0, ..., bound - 1}, without bias (Lemire 2019). Requires: bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) noexcept;

  /// Uniform in [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

  /// True with this probability: exactly one draw, whatever the probability.
  [[nodiscard]] bool coin(double probability) noexcept { return uniform() < probability; }

  /// Standard normal; exactly one draw.
  [[nodiscard]] double normal() noexcept;

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace inkling
