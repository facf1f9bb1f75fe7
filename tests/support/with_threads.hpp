// Runs something on a given number of threads, however many cores there are.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace inkling::test {

/// TBB's own arena has one slot a core; one of our own gives `threads` of them even where there are fewer
/// cores.
template <typename Work>
auto with_threads(int threads, const Work& work) {
  const tbb::global_control at_most(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  return arena.execute(work);
}

}  // namespace inkling::test
