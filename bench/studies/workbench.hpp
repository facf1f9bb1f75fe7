// Runs studies in parallel, keeps every finished trial on disk, and goes on where a stopped run was.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "bench/studies/study.hpp"

namespace inkling::bench {

struct WorkbenchOptions {
  std::string trials_folder;  ///< made where missing; a log of finished trials a study
  std::string build = {};     ///< which program it is: trials of another are not taken over
  std::function<void()> check_interruption = [] {};  ///< from any thread; throws to end the run
  /// From any thread: some of the `policy_runs` are done, or were done by an earlier run.
  std::function<void(std::int64_t runs)> advance = [](std::int64_t) {};
  std::function<void(std::int64_t runs)> skip = [](std::int64_t) {};
};

/// How often a policy plays in a study: each entrant in each trial, each candidate in each tuning trial.
[[nodiscard]] std::int64_t policy_runs(const Study& study);

/// Thread safety: one study at a time; the work inside uses all threads of the arena.
class Workbench {
 public:
  explicit Workbench(WorkbenchOptions options);

  /// The outcome of all trials, those already logged not run again. The same at any number of threads and
  /// however often it was stopped, but for decision_seconds. `figure` names the log together with the study.
  /// Throws SystemError where the log cannot be written.
  [[nodiscard]] StudyResult run(std::string_view figure, const Study& study);

 private:
  WorkbenchOptions options_;
};

}  // namespace inkling::bench
