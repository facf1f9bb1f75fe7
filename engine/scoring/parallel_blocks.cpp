#include "engine/scoring/parallel_blocks.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace inkling {

void run_blocks_on_threads(std::int32_t blocks, BlockWork work) {
  // Isolated: a thread that waits for its blocks must not start another, long task of the caller.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<std::int32_t>(0, blocks), [&](const tbb::blocked_range<std::int32_t>& range) {
      for (std::int32_t index = range.begin(); index < range.end(); ++index) work.call(work.work, index);
    });
  });
}

}  // namespace inkling
