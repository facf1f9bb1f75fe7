// Runs a study: first the trials that tune, then those that count. Trials run in parallel, and the results do
// not depend on how the work was shared. Finished trials may be kept on disk: a stopped run then goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bench/studies/study.hpp"

namespace inkling::bench {

/// Functions are called from any thread, unless they say otherwise.
struct StudyRunOptions {
  /// How the files begin that keep finished trials, "kept/trials/sparse-"; empty: nothing is kept.
  std::string log = {};
  std::string build = {};  ///< which program it is: trials of another program are not taken over
  std::function<void()> check_interruption = [] {};  ///< throws to end the run
  /// Rounds that were played, and rounds of trials that an earlier run finished: of `rounds_of` in all.
  std::function<void(std::int64_t rounds)> advance = [](std::int64_t) {};
  std::function<void(std::int64_t rounds)> skip = [](std::int64_t) {};
  /// Empty where no trace is wanted: records then cost nothing.
  std::function<std::string(std::int64_t trial, const Entrant&, const RoundRecord&)> trace_line = {};
  /// In order of trial and, within a trial, of entrant; never by two threads at once.
  std::function<void(const std::string& lines)> write_trace = {};
};

/// The rounds of all policies in all trials, those that tune included.
[[nodiscard]] std::int64_t rounds_of(const Study& study);

/// The outcome of all trials; what a log holds is not run again. It is the same at any number of threads and
/// however often the run was stopped, except decision_seconds; words learned are not logged. Throws
/// SystemError where the log cannot be written.
[[nodiscard]] StudyResult run_study(const Study& study, const StudyRunOptions& options = {});

}  // namespace inkling::bench
