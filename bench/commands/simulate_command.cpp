#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/simulation.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

std::string chart_title(const Simulation& simulation, const ParsedOptions& options) {
  if (simulation.searched) {
    return fmt::format("Regret on {}{}", simulation.searched->pool.path(),
                       options.has("topic") ? fmt::format(", topic {}", options.text("topic")) : "");
  }
  return fmt::format("Regret on {} documents, {} of {} words matter", simulation.world.pool.documents,
                     simulation.world.relevant, simulation.world.pool.features);
}

std::string as_json(const std::vector<EntrantResult>& results, const std::optional<SearchedPool>& searched) {
  std::string lines;
  for (const EntrantResult& result : results) lines += result_json(result, searched) + "\n";
  return lines;
}

std::string as_text(const std::vector<EntrantResult>& results, const std::optional<SearchedPool>& searched) {
  const Colour colour = terminal_facts(Stream::output).colour;
  std::string text;
  if (searched) {
    const PoolView view = searched->pool.view();
    text += fmt::format("{}: {} documents over {} features\n", searched->pool.path(),
                        digit_groups(view.documents()), digit_groups(view.features()));
  }
  text += result_table(results, colour);
  if (results.front().entrant.words_told == 0) return text;
  return text + "\nWords of largest weight, first trial\n" +
         word_lines(results, searched ? searched->word_of() : WordOf(), colour);
}

int simulate(const ParsedOptions& options) {
  if (options.has("trace") && options.flag("tune"))
    throw UsageError::option("trace", "expected without --tune");
  const Simulation simulation = simulation_of(options);
  for (const std::string& note : simulation.notes) tell(fmt::format("inkling-bench simulate: {}\n", note));
  std::optional<std::string> trace;
  if (options.has("trace")) trace = options.text("trace");

  const std::vector<EntrantResult> results =
      best_ridges(run_live(simulation.study, threads_of(options), trace).entrants);
  if (simulation.searched) simulation.searched->pool.check_unchanged();
  if (options.has("csv")) write_file(options.text("csv"), curves_csv(results));
  if (options.has("svg")) {
    draw_picture(regret_chart(results, chart_title(simulation, options)),
                 fmt::format("Means over {} trials with 95 % bands, seed {}", simulation.study.trials,
                             options.integer("seed")),
                 options.text("svg"));
  }
  fmt::print("{}", options.flag("json") ? as_json(results, simulation.searched)
                                        : as_text(results, simulation.searched));
  return ExitCode::ok;
}

}  // namespace

Command simulate_command() { return command_of(simulate_option_table(), simulate); }

}  // namespace inkling::bench
