// Runs independent blocks on all threads where that pays, on this one where it does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "engine/scoring/ranking.hpp"

namespace inkling {

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
  // Isolated: a thread that waits for its blocks must not start another, long task of the caller.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<std::int32_t>(0, blocks),
                      [&](const tbb::blocked_range<std::int32_t>& range) {
                        for (std::int32_t index = range.begin(); index < range.end(); ++index) work(index);
                      });
  });
}

/// What best_of(index) is for each block; kNoDocument where it has none.
template <typename BestOf>
[[nodiscard]] std::vector<Ranked> best_of_each_block(std::int32_t blocks, const BestOf& best_of) {
  std::vector<Ranked> by_block(static_cast<std::size_t>(blocks));
  for_each_block(blocks,
                 [&](std::int32_t index) { by_block[static_cast<std::size_t>(index)] = best_of(index); });
  return by_block;
}

}  // namespace inkling
