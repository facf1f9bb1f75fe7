#include "engine/scoring/parallel_blocks.hpp"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

TEST_CASE("every block is worked on exactly once at any number of threads") {
  for (const int threads : {1, 2, 8}) {
    for (const std::int32_t blocks : {0, 1, 8, 9, 1000}) {
      INFO(threads << " threads, " << blocks << " blocks");
      std::vector<int> calls(static_cast<std::size_t>(blocks), 0);
      test::with_threads(threads,
                         [&] { for_each_block(blocks, [&](std::int32_t index) { ++calls[static_cast<std::size_t>(index)]; }); });
      CHECK(std::ranges::all_of(calls, [](int count) { return count == 1; }));
    }
  }
}

}  // namespace
}  // namespace inkling
