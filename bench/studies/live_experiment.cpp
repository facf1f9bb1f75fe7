#include "bench/studies/live_experiment.hpp"

#include <cstdint>

#include "bench/studies/summary.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {

std::vector<ContestantResult> run_live(const ExperimentOptions& options,
                                       const std::vector<Contestant>& contestants, const LiveOptions& live) {
  std::optional<OutputFile> trace;
  ExperimentListener listener;
  if (live.trace) {
    trace.emplace(*live.trace);
    const TraceNaming naming = contestants.size() > 1 ? TraceNaming::by_policy : TraceNaming::anonymous;
    listener.trace_line = [naming](std::int64_t trial, const Contestant& contestant,
                                   const RoundRecord& record) {
      return trace_line(trial, contestant, record, naming);
    };
    listener.write_trace = [&trace](const std::string& lines) { trace->append(lines); };
  }
  const std::int64_t rounds =
      options.trials * options.trial.rounds * static_cast<std::int64_t>(contestants.size());
  Progress progress("rounds", static_cast<std::uint64_t>(rounds));
  listener.advance = [&progress](std::int64_t done) { progress.advance(static_cast<std::uint64_t>(done)); };
  listener.check_interruption = throw_if_interrupted;
  ThreadLimit threads(live.threads);
  std::vector<ContestantResult> results =
      threads.run([&] { return run_experiment(options, contestants, listener); });
  if (trace) trace->close();
  return results;
}

}  // namespace inkling::bench
