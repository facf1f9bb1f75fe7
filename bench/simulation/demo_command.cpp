#include "bench/simulation/demo_command.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "bench/simulation/live_experiment.hpp"
#include "bench/simulation/simulate_options.hpp"
#include "bench/simulation/summary.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/available_threads.hpp"
#include "io/cli/terminal.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/svg_chart.hpp"
#include "io/plot/terminal_chart.hpp"

namespace inkling::bench {
namespace {

constexpr const char* kOpening =
    R"(A reader and a pool of 1,000 documents over 40 words. Five of the words matter to the reader, nobody says which.
Each round shows one document; the reader rates it, with much noise, and now and then marks a word that mattered.
Regret is what the ratings fell short of always showing the best document: lower is better.

  random               shows anything
  oful                 learns from ratings alone, on all 40 words, its ridge tuned in hindsight
  explore-then-commit  shows anything until all words are marked, and is told how long that takes; then uses only those
  ff-oful              uses the marked words from the first mark on, and keeps exploring ever less; nothing tuned

)";

OptionTable demo_options() {
  return OptionTable({"inkling-bench demo",
                      "Shows four ways to look for what a reader likes, side by side.",
                      "inkling-bench demo --out demo",
                      {{"The demonstration",
                        {{"out", Path{}, "DIR", "demo", "folder for regret.svg and regret.csv"},
                         {"seed", Integer{0, INT64_MAX}, "SEED", "1", "another seed, another reader"},
                         {"threads", Integer{1, 1024}, "N", std::nullopt,
                          "threads to use (default: all that this process may)"}}}}});
}

/// The paper's synthetic setting, through the options of `simulate` so that the same run can be typed.
ParsedOptions simulate_options(std::int64_t seed) {
  return simulate_option_table().parse(
      std::vector<std::string>{"--documents", "1000", "--features", "40", "--relevant", "5", "--words", "8",
                               "--noise", "0.5", "--mark-probability", "0.1", "--rounds", "4096", "--trials",
                               "40", "--tune", "--seed", std::to_string(seed)});
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw SystemError(path, error.value(), "creating the folder");
}

std::string closing(const std::vector<ContestantResult>& results, const Style& style) {
  const auto regret_of = [&](std::string_view name) {
    return std::ranges::find(results, name,
                             [](const ContestantResult& result) { return result.contestant.preset.name; })
        ->regret.mean;
  };
  const double ratio = regret_of("oful") / regret_of("ff-oful");
  return style.bold(ratio >= 1.0
                        ? fmt::format("Marks cut the regret of the best oful by a factor of {:.1f}.", ratio)
                        : fmt::format("Here the best oful has {:.1f} times less regret than ff-oful.",
                                      1.0 / ratio)) +
         "\n";
}

int demo(const ParsedOptions& options) {
  const TerminalFacts terminal = terminal_facts(Stream::output);
  const std::string& folder = options.text("out");
  make_folder(folder);
  fmt::print("{}", kOpening);
  std::fflush(stdout);

  const ParsedOptions simulated = simulate_options(options.integer("seed"));
  const ExperimentOptions experiment = experiment_options(simulated);
  LiveOptions live;
  live.threads = options.has("threads") ? static_cast<int>(options.integer("threads")) : available_threads();
  const std::vector<ContestantResult> results =
      best_ridges(run_live(experiment, contestants_of(simulated), live));

  const LineChart chart = regret_chart(
      results, experiment, fmt::format("Regret of four policies, mean of {} readers", experiment.trials));
  write_file(folder + "/regret.svg", svg_chart(chart));
  write_file(folder + "/regret.csv", curves_csv(results, experiment));
  fmt::print("{}\n", result_table(results, terminal.colour));
  fmt::print("{}\n", terminal_chart(chart, {std::min(terminal.columns, 100), 22}, terminal.colour));
  fmt::print("{}The same as a picture: {}/regret.svg, as numbers: {}/regret.csv\n",
             closing(results, Style(terminal.colour)), folder, folder);
  return ExitCode::ok;
}

}  // namespace

Command demo_command() { return command_of(demo_options(), demo); }

}  // namespace inkling::bench
