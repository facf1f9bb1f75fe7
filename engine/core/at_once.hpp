// Several small pieces of work on several threads.
#pragma once

#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

namespace inkling {

/// Calls all, on several threads where some are idle. The thread that waits for the others takes up nothing else: so it
/// may be one for which others wait.
template <typename... Functions>
void at_once(const Functions&... functions) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_invoke(functions...); });
}

}  // namespace inkling
