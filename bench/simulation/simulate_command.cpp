#include "bench/simulation/simulate_command.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/simulation/live_experiment.hpp"
#include "bench/simulation/simulate_options.hpp"
#include "bench/simulation/summary.hpp"
#include "io/cli/available_threads.hpp"
#include "io/cli/terminal.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/svg_chart.hpp"

namespace inkling::bench {
namespace {

std::string chart_title(const WorldOptions& world) {
  return fmt::format("Regret on {} documents, {} of {} words matter", world.pool.documents, world.relevant,
                     world.pool.features);
}

std::string as_json(const std::vector<ContestantResult>& results, const ExperimentOptions& experiment) {
  std::string lines;
  for (const ContestantResult& result : results) lines += result_json(result, experiment) + "\n";
  return lines;
}

int simulate(const ParsedOptions& options) {
  const ExperimentOptions experiment = experiment_options(options);
  LiveOptions live;
  live.threads = options.has("threads") ? static_cast<int>(options.integer("threads")) : available_threads();
  if (options.has("trace")) live.trace = options.text("trace");
  if (live.trace && options.flag("tune")) throw UsageError::option("trace", "expected without --tune");

  const std::vector<ContestantResult> results =
      best_ridges(run_live(experiment, contestants_of(options), live));
  if (options.has("csv")) write_file(options.text("csv"), curves_csv(results, experiment));
  if (options.has("svg")) {
    write_file(options.text("svg"),
               svg_chart(regret_chart(results, experiment, chart_title(experiment.world))));
  }
  fmt::print("{}", options.flag("json") ? as_json(results, experiment)
                                        : result_table(results, terminal_facts(Stream::output).colour));
  return ExitCode::ok;
}

}  // namespace

Command simulate_command() { return command_of(simulate_option_table(), simulate); }

}  // namespace inkling::bench
