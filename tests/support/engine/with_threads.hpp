// Runs something on a given number of threads, on any number of cores.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace inkling::test {

/// Runs in an arena of TBB with `threads` slots, even if there are fewer cores; the default arena has one slot for each core.
template <typename Work>
auto with_threads(int threads, const Work& work) {
  const tbb::global_control at_most(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute(work);
}

}  // namespace inkling::test
