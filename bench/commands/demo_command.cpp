#include "bench/commands/demo_command.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/demo_report.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/svg_chart.hpp"
#include "bench/report/terminal_chart.hpp"
#include "bench/studies/live_experiment.hpp"
#include "bench/studies/summary.hpp"
#include "bench/worlds/demo_pool.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

/// As many as five topics of 20 Newsgroups hold.
constexpr std::int64_t kDocuments = 4'868;
constexpr std::int32_t kWantedTopic = 0;
constexpr std::int64_t kRounds = 1'000;
constexpr std::int32_t kRelevant = 50;

std::string grouped(std::int64_t number) { return digit_groups(static_cast<std::uint64_t>(number)); }

OptionTable demo_options() {
  return OptionTable({"inkling-bench demo",
                      "Builds a pool from text and lets four policies search it for what readers want.",
                      "inkling-bench demo --out demo",
                      {{"The demonstration",
                        {{"out", Path{}, "DIR", "demo", "folder for the corpus, the pool and the results"},
                         {"readers", Integer{1, 10'000}, "N", "40", "simulated readers, each a trial"},
                         {"seed", Integer{0}, "SEED", "1", "another seed, another corpus, other readers"},
                         threads_option()}}}});
}

/// Prints at once, so that a person sees which step is under way.
void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

/// A line a step: what is made, and once it is, what came of it and how long it took.
template <typename Work>
void step(std::string_view what, std::string_view made, const Work& work) {
  say(fmt::format("{:<8}{:<24}", what, made));
  const Stopwatch watch;
  const std::string outcome = work();
  say(fmt::format(" {:<48}{:>5.1f} s\n", outcome, watch.seconds()));
}

/// The arguments of `inkling-bench simulate`, so that the same search can be typed.
std::vector<std::string> search_arguments(const ParsedOptions& options, const std::string& pool,
                                          const std::string& topic) {
  return {"--pool",
          pool,
          "--reward",
          "label",
          "--topic",
          topic,
          "--relevant",
          std::to_string(kRelevant),
          "--policy",
          "random,explore-then-commit,ff-oful,oful-subset",
          "--rounds",
          std::to_string(kRounds),
          "--without-replacement",
          "--trials",
          std::to_string(options.integer("readers")),
          "--seed",
          std::to_string(options.integer("seed")),
          "--show-words",
          "12"};
}

std::string typed(const std::vector<std::string>& arguments) {
  std::string line = "inkling-bench simulate";
  for (const std::string& argument : arguments) {
    const bool has_spaces = argument.find(' ') != std::string::npos;
    line += has_spaces ? fmt::format(" '{}'", argument) : " " + argument;
  }
  return line;
}

void write_charts(const LineChart& chart, const std::vector<ContestantResult>& results,
                  const ExperimentOptions& experiment, const std::string& folder) {
  write_file(folder + "/regret.svg", svg_chart(chart));
  write_file(folder + "/regret.csv", curves_csv(results, experiment));
}

void report(const std::vector<ContestantResult>& results, const Simulation& simulation,
            const SyntheticCorpus& corpus, const std::string& folder) {
  const TerminalFacts terminal = terminal_facts(Stream::output);
  const Style style(terminal.colour);
  const ExperimentOptions& experiment = simulation.experiment;
  const LineChart chart =
      regret_chart(results, experiment,
                   fmt::format("Regret of four policies on {} documents, mean of {} readers",
                               grouped(kDocuments), experiment.trials));
  write_charts(chart, results, experiment, folder);

  fmt::print("\n{}", result_table(results, terminal.colour));
  fmt::print("{}\n", demo_absentee(experiment.pool->view.features()));
  fmt::print("{}\n", terminal_chart(chart, {std::min(terminal.columns, 100), 20}, terminal.colour));
  const auto ff_oful = std::ranges::find(
      results, "ff-oful", [](const ContestantResult& result) { return result.contestant.preset.name; });
  fmt::print("{}\n", demo_words(*ff_oful, simulation.searched->word_of(), corpus, kWantedTopic, style));
  fmt::print("{}", demo_closing(results, experiment.trial.rounds, style));
  fmt::print("The chart as a picture: {0}/regret.svg, as numbers: {0}/regret.csv\n", folder);
}

int demo(const ParsedOptions& options) {
  const std::string& folder = options.text("out");
  const std::string text_path = folder + "/corpus.jsonl";
  const std::string pool_path = folder + "/pool";
  const int threads = threads_of(options);
  make_folder(folder);
  SyntheticCorpusOptions corpus_options;
  corpus_options.seed = static_cast<std::uint64_t>(options.integer("seed"));
  const SyntheticCorpus corpus(corpus_options);
  const std::vector<std::string> search =
      search_arguments(options, pool_path, corpus.topic_name(kWantedTopic));

  say(demo_opening(kRounds, kRelevant));
  step("text", text_path, [&] {
    const CorpusSize size =
        ThreadLimit(threads).run([&] { return write_demo_corpus(corpus, kDocuments, text_path); });
    return fmt::format("{} documents in five topics, {}", grouped(size.documents),
                       byte_size_text(size.bytes));
  });
  step("pool", pool_path, [&] {
    const BuiltPool built = ThreadLimit(threads).run([&] { return build_demo_pool(text_path, pool_path); });
    return fmt::format("{} words, {} non-zeros", grouped(built.features), grouped(built.nonzeros));
  });
  const Simulation simulation = simulation_of(simulate_option_table().parse(search));
  std::vector<ContestantResult> results;
  step("search", fmt::format("{} readers", simulation.experiment.trials), [&] {
    results = run_live(simulation.experiment, simulation.contestants, {.threads = threads, .trace = {}});
    return fmt::format("{} policies, {} rounds each", simulation.contestants.size(), grouped(kRounds));
  });
  report(results, simulation, corpus, folder);
  fmt::print("The search again, or another one: {}\n", typed(search));
  return ExitCode::ok;
}

}  // namespace

Command demo_command() { return command_of(demo_options(), demo); }

}  // namespace inkling::bench
