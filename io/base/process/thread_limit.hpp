// How many threads this process may use, and work on a given number of them.
#pragma once

#include <memory>
#include <utility>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "io/base/system/limits.hpp"

namespace inkling {

/// While it exists, at most `threads` threads work for this process.
class ThreadLimit {
 public:
  /// Throws SystemError if the system does not allow the process so many threads.
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

  /// Runs the work in an arena with a slot for each thread, even if there are fewer cores.
  template <typename Work>
  auto run(Work&& work) {
    return arena_.execute(std::forward<Work>(work));
  }

 private:
  std::unique_ptr<tbb::global_control> most_;
  tbb::task_arena arena_;
};

/// How many of the wanted threads this process can have, at least 1; its present threads count. Starts and ends the missing ones
/// to find out. The limits are those on processes (ulimit -u, pids.max) and on memory (ulimit -v).
[[nodiscard]] int startable_threads(int wanted);

}  // namespace inkling
