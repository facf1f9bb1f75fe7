// Several small pieces of work on several threads.
#pragma once

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

namespace inkling {

/// Calls all the functions, on several threads if some are idle. While the calling thread waits it runs no unrelated task, so
/// other threads may wait for it without a deadlock.
template <typename... Functions>
void at_once(const Functions&... functions) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_invoke(functions...); });
}

}  // namespace inkling
