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
  /// Throws SystemError where the system does not give the process so many.
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

  /// In an arena with a place for each thread, even where there are fewer cores.
  template <typename Work>
  auto run(Work&& work) {
    return arena_.execute(std::forward<Work>(work));
  }

 private:
  std::unique_ptr<tbb::global_control> most_;
  tbb::task_arena arena_;
};

/// How many of the wanted threads this process can have, those that it has included: so many are started and ended again.
/// The limits are those on processes (ulimit -u, pids.max) and on memory (ulimit -v). At least 1.
[[nodiscard]] int startable_threads(int wanted);

}  // namespace inkling
