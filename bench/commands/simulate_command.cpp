#include "bench/commands/commands.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/simulate_options.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/live_experiment.hpp"
#include "bench/studies/summary.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

std::string chart_title(const ExperimentOptions& experiment, const ParsedOptions& options) {
  if (experiment.pool) {
    return fmt::format("Regret on {}{}", experiment.pool->name,
                       options.has("topic") ? fmt::format(", topic {}", options.text("topic")) : "");
  }
  return fmt::format("Regret on {} documents, {} of {} words matter", experiment.world.pool.documents,
                     experiment.world.relevant, experiment.world.pool.features);
}

std::string chart_facts(const ExperimentOptions& experiment) {
  return fmt::format("Means over {} trials with 95 % bands, seed {}", experiment.trials,
                     experiment.trial.seed);
}

std::string as_json(const std::vector<ContestantResult>& results, const ExperimentOptions& experiment,
                    const WordOf& word_of) {
  std::string lines;
  for (const ContestantResult& result : results) lines += result_json(result, experiment, word_of) + "\n";
  return lines;
}

std::string as_text(const std::vector<ContestantResult>& results, const ExperimentOptions& experiment,
                    const WordOf& word_of) {
  const Colour colour = terminal_facts(Stream::output).colour;
  std::string text;
  if (experiment.pool) {
    text += fmt::format("{}: {} documents over {} features\n", experiment.pool->name,
                        digit_groups(static_cast<std::uint64_t>(experiment.pool->view.documents())),
                        digit_groups(static_cast<std::uint64_t>(experiment.pool->view.features())));
  }
  text += result_table(results, colour);
  if (experiment.trial.words_told == 0) return text;
  return text + "\nWords of largest weight, first trial\n" + word_lines(results, word_of, colour);
}

int simulate(const ParsedOptions& options) {
  if (options.has("trace") && options.flag("tune"))
    throw UsageError::option("trace", "expected without --tune");
  const Simulation simulation = simulation_of(options);
  for (const std::string& note : simulation.notes) fmt::print(stderr, "inkling-bench simulate: {}\n", note);
  const ExperimentOptions& experiment = simulation.experiment;
  LiveOptions live;
  live.threads = threads_of(options);
  if (options.has("trace")) live.trace = options.text("trace");

  const std::vector<ContestantResult> results =
      best_ridges(run_live(experiment, simulation.contestants, live));
  if (options.has("csv")) write_file(options.text("csv"), curves_csv(results, experiment));
  if (options.has("svg")) {
    draw_picture(regret_chart(results, experiment, chart_title(experiment, options)), chart_facts(experiment),
                 options.text("svg"));
  }
  const WordOf word_of = simulation.searched ? simulation.searched->word_of() : WordOf();
  fmt::print("{}", options.flag("json") ? as_json(results, experiment, word_of)
                                        : as_text(results, experiment, word_of));
  return ExitCode::ok;
}

}  // namespace

Command simulate_command() { return command_of(simulate_option_table(), simulate); }

}  // namespace inkling::bench
