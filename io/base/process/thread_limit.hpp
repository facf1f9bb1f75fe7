// How many threads this process may use, and work on a given number of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

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

/// The least of the affinity mask and of the cgroup quotas (v2 cpu.max and v1 cfs quota, of the process's own
/// group and every group above it), rounded up; at least 1.
[[nodiscard]] int available_threads();

/// How many of the wanted threads this process can have, those that it has included: so many are started and ended again.
/// The limits are those on processes (ulimit -u, pids.max) and on memory (ulimit -v). At least 1.
[[nodiscard]] int startable_threads(int wanted);

/// Whole threads in the text of a cgroup v2 cpu.max file ("150000 100000" is 2), or nothing for "max" and for
/// other text.
[[nodiscard]] std::optional<int> threads_of_cpu_max(const std::string& text);

/// The same from the texts of the cgroup v1 files cpu.cfs_quota_us and cpu.cfs_period_us; a quota of -1 means
/// no limit.
[[nodiscard]] std::optional<int> threads_of_cfs(const std::string& quota, const std::string& period);

/// The process's own group in the text of /proc/self/cgroup: for a controller of v1 ("cpu"), or of v2 ("").
[[nodiscard]] std::optional<std::string> cgroup_path(const std::string& text, std::string_view controller);

}  // namespace inkling
