// Runs work on a given number of threads.
#pragma once

#include <cstddef>
#include <utility>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "io/cli/available_threads.hpp"
#include "io/cli/option_table.hpp"

namespace inkling {

/// While it exists, at most `threads` threads work for this process.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads)
      : most_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        arena_(threads) {}

  /// In an arena with a place for each thread, even where there are fewer cores.
  template <typename Work>
  auto run(Work&& work) {
    return arena_.execute(std::forward<Work>(work));
  }

 private:
  tbb::global_control most_;
  tbb::task_arena arena_;
};

/// The option of every command that works in parallel.
[[nodiscard]] inline Option threads_option() {
  constexpr std::int64_t most = 1024;
  return {.name = "threads",
          .kind = Integer{1, most},
          .value_name = "N",
          .help = "threads to use (default: all that this process may)"};
}

[[nodiscard]] inline int threads_of(const ParsedOptions& options) {
  return options.has("threads") ? static_cast<int>(options.integer("threads")) : available_threads();
}

}  // namespace inkling
