#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/simulate_options.hpp"
#include "bench/report/report.hpp"
#include "bench/studies/simulation.hpp"
#include "bench/worlds/demo_corpus.hpp"
#include "bench/worlds/demo_files.hpp"
#include "bench/worlds/screening_world.hpp"
#include "bench/worlds/searched_pool.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/ids.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/build_info.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/source/document_source.hpp"
#include "io/doors/cli/terminal.hpp"
#include "io/doors/cli/threads_option.hpp"
#include "io/search/simulation/world.hpp"

namespace inkling::bench {
namespace {

/// The number of messages in five topics of 20 Newsgroups.
constexpr std::int64_t kDocuments = 4'868;
constexpr std::int64_t kRounds = 1'000;
constexpr std::int32_t kRelevant = 50;

OptionTable demo_options() {
  return OptionTable({"inkling-bench demo",
                      "Builds a pool from text, and lets four policies search it.",
                      "inkling-bench demo --out demo",
                      {{"The demonstration",
                        {{"out", Path{}, "DIR", "demo", "folder for the corpus, the pool and the results"},
                         {"readers", Integer{1, 10'000}, "N", "20", "simulated readers, each a trial"},
                         {"seed", Integer{0}, "SEED", "1", "another seed, another corpus, other readers"},
                         threads_option()}}}});
}

/// Writes the messages as JSON lines and returns how many bytes they take.
std::uint64_t write_messages(const DemoCorpus& corpus, std::uint64_t seed, const std::string& path) {
  std::string lines;
  for (const DemoMessage& message : corpus.messages(kDocuments, seed)) lines += json_line(message);
  throw_if_interrupted();
  OutputFile file(path);
  file.append(lines);
  file.close();
  return lines.size();
}

/// Does the same as `inkling build CORPUS --keep-text --out POOL`.
TextBuildSummary build_demo_pool(const std::string& corpus, const std::string& pool) {
  SourceOptions reading;
  reading.format = "jsonl";
  const std::unique_ptr<DocumentSource> source = open_source({corpus}, reading);
  TextBuildOptions build;
  build.texts = TextKeeping::keep;
  build.origin = {{corpus}, "jsonl", std::string(program_version)};
  PoolStaging staging(pool);
  return build_text_pool(*source, build, staging);
}

/// Prints at once, so that a person sees which step is under way.
void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

/// A line a step: its name and, once it is done, its result and its time.
template <typename Work>
void step(std::string_view what, std::string_view made, const Work& work) {
  say(fmt::format("{:<8}{:<24}", what, visible_text(made)));
  const Stopwatch watch;
  const std::string outcome = work();
  say(fmt::format(" {:<48}{:>5.1f} s\n", outcome, watch.seconds()));
}

/// Lets the search begin with one wanted and one unwanted message, the same for every policy.
void begin_with_two(Simulation& simulation, std::uint64_t seed) {
  const PoolTopics& topics = *simulation.searched->topics;
  simulation.study.world = [world = simulation.study.world, wanted = relevant_records(topics.of_documents, *topics.wanted),
                            seed](std::uint64_t trial) {
    World begun = world(trial);
    const ScreeningStart start = draw_start(wanted, seed, trial);
    begun.start.documents = {start.relevant, start.irrelevant};
    return begun;
  };
}

/// The arguments of `inkling-bench simulate`, so that the same search can be typed.
std::vector<std::string> search_arguments(const ParsedOptions& options, const std::string& pool, const std::string& topic) {
  return {"simulate",
          "--pool",
          pool,
          "--reward",
          "label",
          "--topic",
          topic,
          "--relevant",
          std::to_string(kRelevant),
          "--policy",
          "inkling,asreview,ff-oful,random",
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

// How a person here would type the name of a program beside this one: a fresh build is not in PATH.
std::string program_from_here(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return name;
  const auto from_here = std::filesystem::relative(self.parent_path() / name, error);
  return error || from_here.empty() || *from_here.begin() == ".." ? name : from_here.string();
}

std::string typed(const std::string& program, const std::vector<std::string>& arguments) {
  std::string line = program_from_here(program);
  for (const std::string& argument : arguments) {
    const bool has_spaces = argument.find(' ') != std::string::npos;
    line += has_spaces ? fmt::format(" '{}'", argument) : " " + argument;
  }
  return line;
}

std::string demo_opening(const std::string& topic) {
  return fmt::format(
      R"(Readers want the messages on one of five topics, here the {}, and nobody says which. They begin with one message that
they want and one that they do not. Each of {} rounds shows one message, none twice. The reader rates it, +1 where it is
of the topic and -1 where not, and marks each of {} words that speak for the topic one time in ten that it is shown.
Regret is what the ratings fall short of the best: lower is better.

  inkling   what `inkling search` uses: all words from the start, and a marked word teaches as a rating does
  asreview  ASReview's default model (elas_u4), which learns from the ratings alone
  ff-oful   the paper's algorithm: the marked words alone, from the first mark on, and ever less at random
  random    shows anything

)",
      topic, digit_groups(kRounds), kRelevant);
}

struct WordCounts {
  std::int64_t wanted = 0;  ///< documents of the wanted topic that hold the word
  std::int64_t others = 0;
};

WordCounts counts_of_word(const SearchedPool& searched, FeatureId word) {
  WordCounts counts;
  for (const std::int32_t document : searched.pool.view().by_feature.row(word).features) {
    const bool is_wanted = searched.topics->of_documents[static_cast<std::size_t>(document)] == searched.topics->wanted;
    (is_wanted ? counts.wanted : counts.others) += 1;
  }
  return counts;
}

/// The words that a policy learned, and how many documents hold each.
std::string demo_words(const EntrantResult& result, const SearchedPool& searched, const std::string& topic, const Style& style) {
  const WordOf word_of = searched.word_of();
  std::string text = style.bold(fmt::format("{:<36}messages with it: {}, others",
                                            fmt::format("Learned by {}, first reader", result.entrant.preset.name), topic)) +
                     "\n";
  for (const WeighedWord& word : result.trials.front().words) {
    const WordCounts counts = counts_of_word(searched, word.feature);
    text += fmt::format("  {:<22} {:+.2f}     {:>5}   {:>5}\n", word_of(word.feature), word.weight, counts.wanted, counts.others);
  }
  return text;
}

/// The results for a reader: how many of the first messages were useless, how many good ones were found, and the regret.
std::string demo_table(const std::vector<EntrantResult>& results, const Style& style) {
  const auto useless_among = [](const EntrantResult& result, std::int64_t first) {
    return estimate_over_trials(result, [&](const TrialResult& trial) {
      return static_cast<double>(first -
                                 std::ranges::count_if(trial.finds->at, [&](std::int64_t round) { return round <= first; }));
    });
  };
  std::string text = style.bold(fmt::format("{:<10}{:>22}{:>22}{:>18}{:>18}", "", "useless of the first 25", "useless of 100",
                                            fmt::format("found of {}", results.front().trials.front().finds->there), "regret")) +
                     "\n";
  for (std::size_t n = 0; n < results.size(); ++n) {
    const EntrantResult& result = results[n];
    const Estimate found =
        estimate_over_trials(result, [](const TrialResult& trial) { return static_cast<double>(trial.finds->at.size()); });
    text += fmt::format("{}{:>23}{:>22}{:>18}{:>18}\n", style.series(fmt::format("{:<10}", result.entrant.preset.name), n),
                        with_error(useless_among(result, 25)), with_error(useless_among(result, 100)), with_error(found),
                        with_error(result.regret()));
  }
  return text;
}

void report(const std::vector<EntrantResult>& results, const Simulation& simulation, const std::string& topic,
            const std::string& folder) {
  const Colour colour = terminal_facts(Stream::output).colour;
  const Style style(colour);
  const LineChart chart = regret_chart(results, fmt::format("Regret of four policies on {} messages, mean of {} readers",
                                                            digit_groups(kDocuments), simulation.study.trials));
  write_file(folder + "/regret.csv", curves_csv(results));
  const bool is_drawn = draw_picture(chart,
                                     fmt::format("Means over {} trials with 95 % bands, seed {}", simulation.study.trials,
                                                 simulation.study.entrants.front().seed),
                                     folder + "/regret.svg");

  fmt::print("\n{}", demo_table(results, style));
  fmt::print("(More policies: `inkling-bench simulate --policy oful,soft-marks,autotar`.)\n\n");
  fmt::print("{}\n", demo_words(results.front(), *simulation.searched, topic, style));
  if (is_drawn) fmt::print("The chart as a picture: {}/regret.svg\n", visible_text(folder));
  fmt::print("The chart as numbers: {}/regret.csv\n", visible_text(folder));
}

int demo(const ParsedOptions& options) {
  const std::string& folder = options.text("out");
  const std::string text_path = folder + "/corpus.jsonl";
  const std::string pool_path = folder + "/pool";
  const int threads = threads_of(options);
  const WriterLock lock = held_folder(folder);
  const DemoCorpus corpus(demo_files());
  const std::string topic(corpus.topics().front());
  const std::vector<std::string> search = search_arguments(options, pool_path, topic);

  say(demo_opening(topic));
  step("text", text_path, [&] {
    const auto seed = static_cast<std::uint64_t>(options.integer("seed"));
    const std::uint64_t bytes = write_messages(corpus, seed, text_path);
    return fmt::format("{} messages in five topics, {}", digit_groups(kDocuments), byte_size_text(bytes));
  });
  step("pool", pool_path, [&] {
    const TextBuildSummary built = ThreadLimit(threads).run([&] { return build_demo_pool(text_path, pool_path); });
    return fmt::format("{} words, {} non-zeros", digit_groups(built.features), digit_groups(built.nonzeros));
  });
  Simulation simulation = simulation_of(simulate_option_table().parse({search.begin() + 1, search.end()}));
  begin_with_two(simulation, static_cast<std::uint64_t>(options.integer("seed")));
  std::vector<EntrantResult> results;
  step("search", fmt::format("{} readers", simulation.study.trials), [&] {
    results = run_live(simulation.study, threads);
    return fmt::format("{} policies, {} rounds each", results.size(), digit_groups(kRounds));
  });
  report(results, simulation, topic, folder);
  fmt::print("Such a search without the two messages at the start: {}\n", visible_text(typed("inkling-bench", search)));
  fmt::print("\nNow search these messages yourself: {}\n", visible_text(typed("inkling", {"search", pool_path})));
  return ExitCode::ok;
}

}  // namespace

Command demo_command() { return command_of(demo_options(), demo); }

}  // namespace inkling::bench
