#include "io/corpus/text/set_bits.hpp"

#include <algorithm>
#include <limits>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

TEST_CASE("set bits are found eight at a time like single bits") {
  RandomStream random(4, 0, RandomRole::pool);
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  for (int trial = 0; trial < 2000; ++trial) {
    std::uint64_t bits = random.below(all);
    if (trial % 3 == 1) bits &= random.below(all) & random.below(all);
    if (trial % 3 == 2) bits |= random.below(all) | random.below(all);
    if (trial < 2) bits = trial == 0 ? 0 : all;
    const auto first = static_cast<std::uint16_t>(random.below(60'000));
    std::array<std::uint16_t, 64 + kRoomForSetBits> fast{};
    std::array<std::uint16_t, 64 + kRoomForSetBits> plain{};
    const std::uint16_t* const end = write_set_bits(fast.data(), bits, first);
    const std::uint16_t* const plain_end = write_set_bits_plain(plain.data(), bits, first);
    REQUIRE(end - fast.data() == plain_end - plain.data());
    REQUIRE(std::equal(plain_end - (end - fast.data()), plain_end, fast.data()));
  }
}

}  // namespace
}  // namespace inkling
