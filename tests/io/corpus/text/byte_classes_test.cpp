#include "io/corpus/text/byte_classes.hpp"

#include <array>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

TEST_CASE("64 bytes at once are classified like single bytes") {
  RandomStream random(3, 0, RandomRole::pool);
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<char, 64> in{};
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<char>(trial < 4 ? static_cast<std::uint64_t>(trial) * 64 + i : random.below(256));
    std::array<char, 64> fast{};
    std::array<char, 64> plain{};
    const ByteClasses by_block = lower_and_classify(in.data(), fast.data());
    const ByteClasses one_by_one = lower_and_classify_plain(in.data(), plain.data());
    REQUIRE(fast == plain);
    REQUIRE(by_block.letters == one_by_one.letters);
    REQUIRE(by_block.others == one_by_one.others);
    REQUIRE(by_block.non_ascii == one_by_one.non_ascii);
  }
}

}  // namespace
}  // namespace inkling
