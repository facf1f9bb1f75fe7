// An experiment as a person runs it: on so many threads, with progress, until Ctrl-C, with its trace in a
// file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/studies/experiment.hpp"

namespace inkling::bench {

struct LiveOptions {
  int threads = 1;
  std::optional<std::string> trace;  ///< a file for every round
};

/// run_experiment, with progress on standard error where that is a terminal. Throws InterruptedError on
/// Ctrl-C.
[[nodiscard]] std::vector<ContestantResult> run_live(const ExperimentOptions& options,
                                                     const std::vector<Contestant>& contestants,
                                                     const LiveOptions& live);

}  // namespace inkling::bench
