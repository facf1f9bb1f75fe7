#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <boost/algorithm/string/case_conv.hpp>
#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/simulation.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/doors/commands/output_check.hpp"

namespace inkling::bench {
namespace {

std::string trials_text(std::int64_t trials) { return trials == 1 ? "1 trial" : fmt::format("{} trials", digit_groups(trials)); }

/// The title of a picture: the pool, the reader and the number of trials.
std::string chart_title(const Simulation& simulation, const ParsedOptions& options) {
  const WorldOptions& world = simulation.world;
  const std::string searched = simulation.searched ? simulation.searched->pool.path()
                                                   : fmt::format("{} documents, {} of {} words matter", world.pool.documents,
                                                                 world.relevant, world.pool.features);
  const std::string topic = options.has("topic") ? fmt::format(", topic {}", options.text("topic")) : "";
  return visible_text(
      fmt::format("Regret on {}{}: {}, seed {}", searched, topic, trials_text(simulation.study.trials), options.integer("seed")));
}

/// The facts that the title leaves out.
std::string chart_facts(const Simulation& simulation, const ParsedOptions& options) {
  const std::string marks = simulation.world.feedback == FeedbackKind::none
                                ? "no marks"
                                : fmt::format("marks with probability {}", options.real("mark-probability"));
  return fmt::format("{}; reward {}, {}, {} replacement",
                     simulation.study.trials == 1 ? "One trial, so without bands" : "Means with 95 % bands",
                     options.text("reward"), marks, options.flag("without-replacement") ? "without" : "with");
}

/// Throws UsageError if the name ends in no known kind of picture.
void check_picture_name(const ParsedOptions& options) {
  if (!options.has("svg")) return;
  const std::string& path = options.text("svg");
  if (std::error_code error; std::filesystem::is_directory(path, error))
    throw UsageError::option("svg", fmt::format("expected the name of a picture, found the folder {}", in_quotes(path)));
  const std::string ending = boost::algorithm::to_lower_copy(std::filesystem::path(path).extension().string());
  if (ending.empty() || ending == ".svg" || ending == ".png" || ending == ".pdf") return;
  throw UsageError::option("svg", fmt::format("expected a name that ends in .svg, .png or .pdf, got {}", in_quotes(path)));
}

std::string as_json(const std::vector<EntrantResult>& results, const Simulation& simulation) {
  std::string lines;
  for (const EntrantResult& result : results) lines += result_json(result, simulation.searched, simulation.world.reward) + "\n";
  return lines;
}

std::string as_text(const std::vector<EntrantResult>& results, const Simulation& simulation) {
  const Colour colour = terminal_facts(Stream::output).colour;
  const std::optional<SearchedPool>& searched = simulation.searched;
  std::string text;
  if (searched) {
    const PoolView view = searched->pool.view();
    text += fmt::format("{}: {} documents over {} features\n", visible_text(searched->pool.path()),
                        digit_groups(view.documents()), digit_groups(view.features()));
  }
  text += result_table(results, colour);
  if (simulation.world.reward == RewardKind::label) text += "\n" + wanted_lines(results, wanted_documents(searched), colour);
  if (results.front().entrant.words_told == 0) return text;
  return text + "\nWords of largest weight, first trial\n" +
         word_lines(results, searched ? searched->word_of() : WordOf(), colour);
}

int simulate(const ParsedOptions& options) {
  if (options.has("trace") && options.flag("tune")) throw UsageError::option("trace", "expected without --tune");
  check_picture_name(options);
  std::vector<std::string> pools;
  if (options.has("pool")) pools.push_back(options.text("pool"));
  refuse_overwriting(files_of(options, {"csv", "svg", "trace"}), files_of(options, {"relevant-words"}), pools);
  const Simulation simulation = simulation_of(options);
  for (const std::string& note : simulation.notes) warn("simulate", note);
  std::optional<std::string> trace;
  if (options.has("trace")) trace = options.text("trace");

  const std::vector<EntrantResult> results = best_ridges(run_live(simulation.study, threads_of(options), trace));
  if (simulation.searched) simulation.searched->pool.check_unchanged();
  if (options.has("csv")) write_file(options.text("csv"), curves_csv(results));
  if (options.has("svg"))
    draw_picture(regret_chart(results, chart_title(simulation, options)), chart_facts(simulation, options), options.text("svg"));
  fmt::print("{}", options.flag("json") ? as_json(results, simulation) : as_text(results, simulation));
  return ExitCode::ok;
}

}  // namespace

Command simulate_command() { return command_of(simulate_option_table(), simulate); }

}  // namespace inkling::bench
