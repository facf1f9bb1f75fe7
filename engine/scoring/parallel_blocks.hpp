// Runs independent blocks on all threads where that pays, on this one where it does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/scoring/ranked.hpp"

namespace inkling {

/// A call of work(index) without its type, so that TBB is compiled once. Lifetime: lends the work.
struct BlockWork {
  const void* work;
  void (*call)(const void* work, std::int32_t index);
};

/// Calls the work once for each index in [0, blocks), on several threads.
void run_blocks_on_threads(std::int32_t blocks, BlockWork work);

/// Calls work(index) once for each index in [0, blocks). Handing a block to another thread costs a few
/// microseconds, as much as a block of running scores takes; so a few blocks stay here. Requires: the calls
/// are independent of each other and of their order.
template <typename Work>
void for_each_block(std::int32_t blocks, const Work& work) {
  constexpr std::int32_t few = 8;
  if (blocks <= few) {
    for (std::int32_t index = 0; index < blocks; ++index) work(index);
    return;
  }
  run_blocks_on_threads(blocks, {&work, [](const void* each, std::int32_t index) { (*static_cast<const Work*>(each))(index); }});
}

/// The results of best_of(index) for each block; kNoDocument if it has none.
template <typename BestOf>
[[nodiscard]] std::vector<Ranked> best_of_each_block(std::int32_t blocks, const BestOf& best_of) {
  std::vector<Ranked> by_block(static_cast<std::size_t>(blocks));
  for_each_block(blocks, [&](std::int32_t index) { by_block[static_cast<std::size_t>(index)] = best_of(index); });
  return by_block;
}

}  // namespace inkling
