// `inkling-bench shards`: what a build in parts costs beside one build of the same text.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/report/child_process.hpp"
#include "bench/speed/generated_counts.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"
#include "io/file/output_file.hpp"

namespace inkling::bench {
namespace {

OptionTable shards_options() {
  return OptionTable(
      {"inkling-bench shards",
       "Builds a text at once and in parts, by the commands of inkling, and compares the CPU time; or merges "
       "generated counts. Says nothing of what more machines gain.",
       "inkling-bench shards corpus.txt --parts 16 --repeats 3",
       {{"The build",
         {{"parts", Integer{1, 100'000}, "N", "16", "parts of the build, and of generated counts"},
          {"format", Choice{{"lines", "jsonl", "csv", "tsv"}}, "FORMAT", "lines", "what the source holds"},
          {"memory", Size{std::int64_t{128} << 20U}, "SIZE", "1G", "most memory of each step"},
          {"threads", Integer{1, 1024}, "N", "1", "threads of each step"},
          {"no-rows", Flag{}, "", std::nullopt,
           "count without --keep-rows, so that each shard cuts its text into words again"},
          {"repeats", Integer{1, 1000}, "N", "1", "runs of each; the middle one counts"}}},
        {"The merge",
         {{"merge-terms", Integer{1, 10'000'000'000}, "N", std::nullopt,
           "instead merge generated counts of N different terms"}}},
        {"The run",
         {{"folder", Path{}, "DIR", ".", "where all is built, and removed"},
          {"program", Path{}, "PROGRAM", std::nullopt,
           "the inkling to run (default: the one beside this one)"},
          {"json", Flag{}, "", std::nullopt, "print one JSON object"}}}},
       {"SOURCE", "the text", 0, 1}});
}

std::string inkling_beside_this_program() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw SystemError("/proc/self/exe", error.value(), "cannot look at it");
  return (self.parent_path() / "inkling").string();
}

/// All runs of one kind of step.
struct StepCost {
  std::string_view name;
  double cpu_seconds = 0.0;
  double seconds = 0.0;
  std::uint64_t most_memory = 0;  ///< of any run
  int runs = 0;
};

/// A folder that is removed with all that steps write there.
class ShardsFolder {
 public:
  explicit ShardsFolder(const std::string& parent) : path_(parent + "/inkling-shards-XXXXXX") {
    if (::mkdtemp(path_.data()) == nullptr) throw SystemError(path_, errno, "cannot make the folder");
  }
  ~ShardsFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ShardsFolder(const ShardsFolder&) = delete;
  ShardsFolder& operator=(const ShardsFolder&) = delete;

  [[nodiscard]] std::string file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Runs steps one after the other, as processes.
class StepRunner {
 public:
  explicit StepRunner(const ParsedOptions& given)
      : program_(given.has("program") ? given.text("program") : inkling_beside_this_program()),
        limits_({"--memory", std::to_string(given.integer("memory"))}),
        threads_({"--threads", std::to_string(given.integer("threads"))}) {}

  void run(StepCost& cost, std::vector<std::string> arguments, bool reads_documents) const {
    arguments.insert(arguments.begin(), program_);
    if (reads_documents) {
      arguments.insert(arguments.end(), limits_.begin(), limits_.end());
      arguments.insert(arguments.end(), threads_.begin(), threads_.end());
    }
    const std::string command = arguments[1];
    const Stopwatch watch;
    const ChildResult result = run_child(std::move(arguments), {}, throw_if_interrupted);
    if (result.exit_code != 0) throw FormatError(command, failure_of(program_, result));
    cost.seconds += watch.seconds();
    cost.cpu_seconds += result.cpu_seconds;
    cost.most_memory = std::max(cost.most_memory, result.most_memory);
    ++cost.runs;
  }

 private:
  std::string program_;
  std::vector<std::string> limits_;
  std::vector<std::string> threads_;
};

struct ShardsTiming {
  StepCost whole = {"one build"};
  StepCost plan = {"plan"};
  StepCost count = {"count"};
  StepCost merge = {"merge-counts"};
  StepCost build = {"build of a shard"};
  StepCost join = {"join"};
  StepCost again = {"a step that finds its output"};

  [[nodiscard]] double parts_cpu() const {
    return plan.cpu_seconds + count.cpu_seconds + merge.cpu_seconds + build.cpu_seconds + join.cpu_seconds;
  }
  [[nodiscard]] double inflation() const { return parts_cpu() / whole.cpu_seconds; }
};

ShardsTiming timed_build(const ParsedOptions& given, const StepRunner& runner, const std::string& source) {
  const ShardsFolder folder(given.text("folder"));
  ShardsTiming timing;
  runner.run(timing.whole, {"build", source, "--format", given.text("format"), "--out", folder.file("pool")},
             true);
  const std::string plan = folder.file("plan.json");
  runner.run(
      timing.plan,
      {"plan", source, "--format", given.text("format"), "--parts", std::to_string(given.integer("parts")),
       "--out", plan, "--memory", std::to_string(given.integer("memory"))},
      false);
  std::vector<std::string> merging = {"merge-counts", "--out", folder.file("counts")};
  std::vector<std::string> joining = {"join", "--out", folder.file("set.json")};
  std::vector<std::vector<std::string>> building;
  const std::int64_t parts = given.integer("parts");
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::string number = std::to_string(part);
    merging.push_back(folder.file("counts" + number));
    joining.push_back(folder.file("shard" + number));
    std::vector<std::string> counting = {"count", plan, "--part", number, "--out", merging.back()};
    std::vector<std::string> shard = {
        "build", "--plan",      plan, "--part", number, "--counts", folder.file("counts"),
        "--out", joining.back()};
    if (!given.flag("no-rows")) {
      counting.emplace_back("--keep-rows");
      shard.insert(shard.end(), {"--rows", merging.back()});
    }
    runner.run(timing.count, counting, true);
    building.push_back(shard);
  }
  runner.run(timing.merge, merging, false);
  for (const std::vector<std::string>& shard : building) runner.run(timing.build, shard, true);
  runner.run(timing.join, joining, false);
  for (const std::vector<std::string>& shard : building) runner.run(timing.again, shard, true);
  return timing;
}

void print_timing(const ParsedOptions& given, const ShardsTiming& timing, std::uint64_t source_bytes) {
  const double megabytes = static_cast<double>(source_bytes) / 1e6;
  if (given.flag("json")) {
    JsonWriter json;
    json.begin_object().member("source_bytes", source_bytes).member("inflation", timing.inflation());
    for (const StepCost& cost :
         {timing.whole, timing.plan, timing.count, timing.merge, timing.build, timing.join, timing.again}) {
      json.key(cost.name).begin_object().member("runs", cost.runs).member("cpu_seconds", cost.cpu_seconds);
      json.member("seconds", cost.seconds).member("most_memory", cost.most_memory).end_object();
    }
    fmt::print("{}\n", json.end_object().take());
    return;
  }
  fmt::print("{} of text, {} parts\n\n{:<30}{:>6}{:>10}{:>12}{:>10}{:>14}\n", byte_size_text(source_bytes),
             given.integer("parts"), "step", "runs", "CPU s", "MB/CPU s", "seconds", "most memory");
  for (const StepCost& cost :
       {timing.whole, timing.plan, timing.count, timing.merge, timing.build, timing.join, timing.again}) {
    const bool reads_text =
        cost.name == timing.whole.name || cost.name == timing.count.name || cost.name == timing.build.name;
    fmt::print("{:<30}{:>6}{:>10.2f}{:>12}{:>10.2f}{:>14}\n", cost.name, cost.runs, cost.cpu_seconds,
               reads_text ? fmt::format("{:.0f}", megabytes / cost.cpu_seconds) : "", cost.seconds,
               byte_size_text(cost.most_memory));
  }
  fmt::print(
      "\nIn parts it takes {:.2f} times the CPU time of one build. A step that finds its output takes {:.0f} "
      "ms.\n",
      timing.inflation(), 1e3 * timing.again.seconds / std::max(timing.again.runs, 1));
}

int time_merge(const ParsedOptions& given, const StepRunner& runner) {
  const ShardsFolder folder(given.text("folder"));
  const GeneratedCounts counts = {.terms = given.integer("merge-terms"), .parts = given.integer("parts")};
  std::vector<std::string> merging = {"merge-counts", "--out", folder.file("all")};
  for (std::string& part : write_generated_counts(counts, folder.path(), throw_if_interrupted))
    merging.push_back(std::move(part));
  StepCost cost = {"merge-counts"};
  runner.run(cost, merging, false);
  const std::int64_t read = terms_to_read(counts);
  if (given.flag("json")) {
    JsonWriter json;
    json.begin_object().member("terms", counts.terms).member("terms_read", read);
    json.member("cpu_seconds", cost.cpu_seconds).member("seconds", cost.seconds);
    fmt::print("{}\n", json.member("most_memory", cost.most_memory).end_object().take());
  } else {
    fmt::print(
        "{} terms, read {} times in {} parts: {:.1f} CPU s, {:.1f} million terms read a CPU second, {} of "
        "memory\n",
        digit_groups(counts.terms), digit_groups(read), counts.parts, cost.cpu_seconds,
        1e-6 * static_cast<double>(read) / cost.cpu_seconds, byte_size_text(cost.most_memory));
  }
  return ExitCode::ok;
}

int time_shards(const ParsedOptions& given) {
  const StepRunner runner(given);
  if (given.has("merge-terms")) {
    if (!given.positionals().empty())
      throw UsageError::option("merge-terms", "generates its counts; name no source beside it");
    return time_merge(given, runner);
  }
  if (given.positionals().empty()) throw UsageError("expected a source, or --merge-terms");
  const std::string& source = given.positionals().front();
  std::vector<ShardsTiming> timings;
  for (std::int64_t repeat = 0; repeat < given.integer("repeats"); ++repeat)
    timings.push_back(timed_build(given, runner, source));
  std::ranges::sort(timings, {}, [](const ShardsTiming& timing) { return timing.inflation(); });
  print_timing(given, timings[timings.size() / 2], std::filesystem::file_size(source));
  return ExitCode::ok;
}

}  // namespace

Command shards_command() { return command_of(shards_options(), time_shards); }

}  // namespace inkling::bench
