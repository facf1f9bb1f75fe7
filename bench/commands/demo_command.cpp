#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/figure_parts.hpp"
#include "bench/studies/simulation.hpp"
#include "bench/worlds/synthetic_corpus.hpp"
#include "engine/core/errors.hpp"
#include "io/build/text_builder.hpp"
#include "io/cli/build_info.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/output_file.hpp"
#include "io/file/utf8.hpp"
#include "io/pool/write/pool_staging.hpp"
#include "io/source/document_source.hpp"

namespace inkling::bench {
namespace {

/// As many as five topics of 20 Newsgroups hold.
constexpr std::int64_t kDocuments = 4'868;
constexpr std::int32_t kWantedTopic = 0;
constexpr std::int64_t kRounds = 1'000;
constexpr std::int32_t kRelevant = 50;

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

/// The corpus as JSON lines, on all threads of the arena that it is called in.
CorpusSize write_demo_corpus(const SyntheticCorpus& corpus, const std::string& path) {
  OutputFile file(path);
  const CorpusSize size = write_corpus(corpus, CorpusFormat::jsonl, {.documents = kDocuments},
                                       [&](std::string_view records, const CorpusSize&) {
                                         throw_if_interrupted();
                                         file.append(records);
                                       });
  file.close();
  return size;
}

/// As `inkling build CORPUS --out POOL` does.
TextBuildSummary build_demo_pool(const std::string& corpus, const std::string& pool) {
  SourceOptions reading;
  reading.format = "jsonl";
  const std::unique_ptr<DocumentSource> source = open_source({corpus}, reading);
  TextBuildOptions build;
  build.origin = {{corpus}, "jsonl", std::string(program_version)};
  PoolStaging staging(pool);
  return build_text_pool(*source, build, staging);
}

/// Prints at once, so that a person sees which step is under way.
void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

/// A line a step: what is made, and once it is, what came of it and how long it took.
template <typename Work>
void step(std::string_view what, std::string_view made, const Work& work) {
  say(fmt::format("{:<8}{:<24}", what, visible_text(made)));
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

// This program as a person here would type it: a fresh build is on no search path.
std::string program_from_here() {
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return "inkling-bench";
  const auto from_here = std::filesystem::relative(file, error);
  return error || from_here.empty() || *from_here.begin() == ".." ? "inkling-bench" : from_here.string();
}

std::string typed(const std::vector<std::string>& arguments) {
  std::string line = program_from_here() + " simulate";
  for (const std::string& argument : arguments) {
    const bool has_spaces = argument.find(' ') != std::string::npos;
    line += has_spaces ? fmt::format(" '{}'", argument) : " " + argument;
  }
  return line;
}

std::string demo_opening() {
  return fmt::format(
      R"(Readers want one of five topics in a pool of text, and nobody says which. Each of {} rounds shows one document,
none twice. The reader rates it, +1 where it is of the topic and -1 where not, and marks each of {} words that speak for
the topic one time in ten that it is shown. Regret is what the ratings fall short of the best: lower is better.

  random               shows anything
  explore-then-commit  shows anything until the words are probably marked, half of the rounds at most; then uses those
  ff-oful              uses the marked words from the first mark on, and keeps exploring ever less
  oful-subset          is told all the words before the first round, which nobody knows in practice; it is here for comparison

)",
      digit_groups(kRounds), kRelevant);
}

/// The words that a policy learned beside the most frequent ones of the topic's own, and which are both.
std::string demo_words(const EntrantResult& result, const WordOf& word_of, const SyntheticCorpus& corpus,
                       const Style& style) {
  const std::vector<LearnedWord>& words = result.trials.front().words;
  const std::span<const std::int32_t> own_words = corpus.own_words(kWantedTopic);
  std::unordered_set<std::string_view> own;
  std::unordered_set<std::string> learned;
  for (const std::int32_t rank : own_words) own.insert(corpus.words().word(rank));
  for (const LearnedWord& word : words) learned.insert(word_of(word.feature));

  std::string text =
      style.bold(
          fmt::format("{:<37}{}", fmt::format("Learned by {}, first reader", result.entrant.preset.name),
                      fmt::format("Own words of {}, most frequent first", corpus.topic_name(kWantedTopic)))) +
      "\n";
  for (std::size_t n = 0; n < std::min(words.size(), own_words.size()); ++n) {
    const std::string name = word_of(words[n].feature);
    const std::string_view own_word = corpus.words().word(own_words[n]);
    std::string row = fmt::format("  {:<14} {:+.2f}  {:<11}  {}", name, words[n].weight,
                                  own.contains(name) ? "own" : "", own_word);
    if (learned.contains(std::string(own_word))) row = fmt::format("{:<54}learned", row);
    text += row + "\n";
  }
  return text;
}

/// How many documents of the wanted topic the reader got to see from each policy.
std::string demo_closing(const std::vector<EntrantResult>& results, const Style& style) {
  std::string text;
  for (const EntrantResult& result : results) {
    const double wanted = 0.5 * (static_cast<double>(kRounds) + result.reward().mean);
    text += fmt::format("{}{:.0f} with {}", text.empty() ? "" : ", ", wanted, result.entrant.preset.name);
  }
  return style.bold(fmt::format("Of {} documents shown, those of the wanted topic: {}.",
                                digit_groups(kRounds), text)) +
         "\n";
}

void report(const std::vector<EntrantResult>& results, const Simulation& simulation,
            const SyntheticCorpus& corpus, const std::string& folder) {
  const TerminalFacts terminal = terminal_facts(Stream::output);
  const Style style(terminal.colour);
  const LineChart chart =
      regret_chart(results, fmt::format("Regret of four policies on {} documents, mean of {} readers",
                                        digit_groups(kDocuments), simulation.study.trials));
  write_file(folder + "/regret.csv", curves_csv(results));
  const bool is_drawn =
      draw_picture(chart,
                   fmt::format("Means over {} trials with 95 % bands, seed {}", simulation.study.trials,
                               simulation.study.entrants.front().seed),
                   folder + "/regret.svg");

  fmt::print("\n{}", result_table(results, terminal.colour));
  fmt::print(
      "(oful and soft-marks use all {} words, take milliseconds a choice, and would make this a long show:\n"
      "they are in `inkling-bench simulate --policy oful,soft-marks`.)\n\n",
      digit_groups(simulation.searched->pool.view().features()));
  fmt::print("{}\n", terminal_chart(chart, {std::min(terminal.columns, 100), 20}, terminal.colour));
  const auto ff_oful = std::ranges::find(
      results, "ff-oful", [](const EntrantResult& result) { return result.entrant.preset.name; });
  fmt::print("{}\n", demo_words(*ff_oful, simulation.searched->word_of(), corpus, style));
  fmt::print("{}", demo_closing(results, style));
  if (is_drawn) fmt::print("The chart as a picture: {}/regret.svg\n", visible_text(folder));
  fmt::print("The chart as numbers: {}/regret.csv\n", visible_text(folder));
}

int demo(const ParsedOptions& options) {
  const std::string& folder = options.text("out");
  const std::string text_path = folder + "/corpus.jsonl";
  const std::string pool_path = folder + "/pool";
  const int threads = threads_of(options);
  const FolderLock lock = held_folder("demo", folder);
  SyntheticCorpusOptions corpus_options;
  corpus_options.seed = static_cast<std::uint64_t>(options.integer("seed"));
  const SyntheticCorpus corpus(corpus_options);
  const std::vector<std::string> search =
      search_arguments(options, pool_path, corpus.topic_name(kWantedTopic));

  say(demo_opening());
  step("text", text_path, [&] {
    const CorpusSize size = ThreadLimit(threads).run([&] { return write_demo_corpus(corpus, text_path); });
    return fmt::format("{} documents in five topics, {}", digit_groups(size.documents),
                       byte_size_text(size.bytes));
  });
  step("pool", pool_path, [&] {
    const TextBuildSummary built =
        ThreadLimit(threads).run([&] { return build_demo_pool(text_path, pool_path); });
    return fmt::format("{} words, {} non-zeros", digit_groups(built.features), digit_groups(built.nonzeros));
  });
  const Simulation simulation = simulation_of(simulate_option_table().parse(search));
  std::vector<EntrantResult> results;
  step("search", fmt::format("{} readers", simulation.study.trials), [&] {
    results = run_live(simulation.study, threads).entrants;
    return fmt::format("{} policies, {} rounds each", results.size(), digit_groups(kRounds));
  });
  report(results, simulation, corpus, folder);
  fmt::print("The search again, or another one: {}\n", visible_text(typed(search)));
  return ExitCode::ok;
}

}  // namespace

Command demo_command() { return command_of(demo_options(), demo); }

}  // namespace inkling::bench
