#include "io/commands/score_options.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <ranges>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/output_check.hpp"
#include "io/events/event_line.hpp"
#include "io/events/learning.hpp"
#include "io/file/file_identity.hpp"
#include "io/file/output_file.hpp"
#include "io/score/learning_options.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostRanked = 100'000'000;

constexpr std::uint64_t kMemoryToRead = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMemoryOfModels = std::uint64_t{4} << 30U;

constexpr EnumName<PoolAccess> kAccessNames[] = {{PoolAccess::map, "map"}, {PoolAccess::read, "read"}};

auto policies_of_events() { return presets() | std::views::filter(learns_from_events); }

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const Preset& preset : policies_of_events()) names.emplace_back(preset.name);
  return names;
}

std::string policy_help() {
  std::string help;
  for (const Preset& preset : policies_of_events())
    help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", preset.name, preset.summary);
  return help;
}

OptionGroup event_options() {
  using Need = Option::Need;
  return {
      "The events",
      {{"events", Paths{}, "FILE", std::nullopt,
        "one JSON object a line: {\"document\": ROW or \"ID\", \"reward\": NUMBER, \"features\": [\"word\" "
        "or "
        "FEATURE, ...]}; features may be absent, and {\"feature\": \"word\", \"confidence\": 0.5} is a mark "
        "that is not certain; {\"feature\": \"word\", \"reward\": 1} rates a word, among them or in a line "
        "of "
        "its own; - is standard input; given several times, each file is a user of its own, and "
        "all "
        "are scored in one pass",
        Need::required},
       {"with-replacement", Flag{}, "", std::nullopt,
        "documents may be played more than once by events, and played ones stay in the ranking"},
       {"skip-bad", Flag{}, "", std::nullopt,
        "leave out bad events and count them, instead of stopping at the first"},
       {"any-pool", Flag{}, "", std::nullopt,
        "use events also where their first line names another pool by its fingerprint"}}};
}

OptionGroup model_options() {
  OptionGroup group = {"The model",
                       {{"policy", Choice{policy_names()}, "NAME", kDefaultPolicy, policy_help()}}};
  const std::vector<Option> learning = learning_options();
  group.options.insert(group.options.end(), learning.begin(), learning.end());
  return group;
}

OptionGroup score_output_options() {
  return {
      "What comes out",
      {{"top", Integer{1, kMostRanked}, "K", std::nullopt,
        "the K documents of highest ucb, best first, without those played (default: 10)"},
       {"all", Flag{}, "", std::nullopt, "every document in order of row, played ones too"},
       {"format", Choice{names_of(kScoreFormatNames)}, "FORMAT", "jsonl",
        "jsonl: one object a line; csv: with a header line; npy: a NumPy array of records with the fields "
        "document, mean, width, ucb, played; table: for people"},
       {"explain", Flag{}, "", std::nullopt,
        "add the words that made each score, each with value, weight, contribution, uncertainty and share "
        "of the squared width; with --top, as jsonl or table, which shows the first 12"},
       {"out", Path{}, "FILE", "-", "write there, whole or not at all; - is standard output"},
       {"out-dir", Path{}, "FOLDER", std::nullopt,
        "write FOLDER/NAME.FORMAT for each file of events NAME.jsonl"}}};
}

OptionGroup scan_options() {
  return {"The scan",
          {{"io", Choice{names_of(kAccessNames)}, "HOW", "map",
            "map: the pool's files are mapped into memory; read: they are read through buffers of bounded "
            "size; the output is the same"},
           {"memory", Size{64 * kMebibyte}, "SIZE", std::nullopt,
            "memory to use with --io read (default: 256M), and for the models with --io map (default: 4G)"},
           {"layout", Choice{names_of(kScanLayoutNames)}, "LAYOUT", "auto",
            "rows: read every row; postings: read the lists of documents of the features in use; auto: "
            "what is estimated to be faster; the output is the same"},
           {"trust", Flag{}, "", std::nullopt, "do not compare checksums"},
           {"measure-bandwidth", Flag{}, "", std::nullopt,
            "also measure how fast this machine reads the same rows, and say which share of that a scan of "
            "rows reaches"},
           threads_option()}};
}

// "users/anna.jsonl" becomes "FOLDER/anna.csv".
std::vector<std::string> files_in_folder(const std::string& folder,
                                         const std::vector<std::string>& event_files,
                                         std::string_view ending) {
  std::vector<std::string> files;
  std::map<std::string, std::string> events_of;
  for (const std::string& events : event_files) {
    const std::string user = events == "-" ? "stdin" : std::filesystem::path(events).stem().string();
    const std::string name = user + std::string(ending);
    const auto [other, is_new] = events_of.insert({name, events});
    if (!is_new)
      throw UsageError::option(
          "out-dir", fmt::format("{} and {} would both be written to {}", other->second, events, name));
    files.push_back((std::filesystem::path(folder) / name).string());
  }
  return files;
}

void check_format(const ParsedOptions& given, ScoreFormat format, std::size_t users) {
  const bool words_fit = format == ScoreFormat::jsonl || format == ScoreFormat::table;
  if (given.flag("explain") && (given.flag("all") || !words_fit))
    throw UsageError::option("explain", "expected with --top, as jsonl or table");
  if (format != ScoreFormat::npy || given.has("out-dir")) return;
  if (users > 1)
    throw UsageError::option("format",
                             "npy holds the scores of one user: expected --out-dir with npy and several "
                             "files of events");
  if (given.text("out") == "-" && terminal_facts(Stream::output).is_terminal)
    throw UsageError::option("format", "npy is not text: expected --out where output is a terminal");
}

ScoreOutputOptions output_options(const ParsedOptions& given, const std::vector<std::string>& event_files) {
  if (given.has("top") && given.flag("all")) throw UsageError::option("all", "expected without --top");
  if (given.has("out-dir") && given.given("out"))
    throw UsageError::option("out-dir", "expected without --out");
  ScoreOutputOptions output;
  output.format = given.choice("format", kScoreFormatNames);
  output.explain = given.flag("explain");
  check_format(given, output.format, event_files.size());
  if (given.has("out-dir")) {
    output.files = files_in_folder(given.text("out-dir"), event_files, file_ending(output.format));
  } else if (given.text("out") != "-") {
    output.files = {given.text("out")};
  } else {
    const TerminalFacts terminal = terminal_facts(Stream::output);
    output.colour = terminal.colour;
    if (terminal.is_terminal) output.text_for = TextFor::terminal;
  }
  return output;
}

// Of an older file. What cannot be read is no concern here: opening it for writing will say why.
bool holds_events(const std::string& path) {
  if (!identity_of(path)) return false;
  try {
    const Descriptor file = open_regular_file(AT_FDCWD, path, path);
    std::string beginning(std::size_t{1} << 16U, '\0');
    beginning.resize(read_at(file.number(), std::as_writable_bytes(std::span(beginning)), 0));
    return begins_like_events(beginning);
  } catch (const SystemError&) {
    return false;
  }
}

void check_outputs(const ScoreOptions& options) {
  std::vector<NamedFile> inputs;
  std::vector<NamedFile> outputs;
  inputs.reserve(options.event_files.size());
  outputs.reserve(options.output.files.size());
  for (const std::string& path : options.event_files) inputs.push_back({"--events", path});
  for (const std::string& path : options.output.files)
    outputs.push_back({options.out_folder ? "--out-dir:" : "--out", path});
  refuse_overwriting(outputs, inputs, options.pools);
  for (const NamedFile& output : outputs) {
    if (!holds_events(output.path)) continue;
    throw UsageError(
        fmt::format("{} {} holds events: expected another place for the output, or remove that file first",
                    output.role, output.path));
  }
}

std::uint64_t memory_of(const ParsedOptions& given, PoolAccess access) {
  if (given.has("memory")) return static_cast<std::uint64_t>(given.integer("memory"));
  return access == PoolAccess::read ? kMemoryToRead : kMemoryOfModels;
}

}  // namespace

OptionTable score_option_table() {
  OptionTable::Description description = {
      "inkling score",
      "Learns from events and scores every document of a pool, or of several pools or shards as one: mean, "
      "width and ucb = mean + radius x width.",
      "inkling score reviews --events me.jsonl --top 20 --explain --format table",
      {event_options(), model_options(), score_output_options(), scan_options()},
      {"POOL...", "one pool, or several with the same features; rows are counted through all of them", 1,
       SIZE_MAX}};
  // Apart, because g++ 12 frees the positionals twice where memory ends within one larger list.
  description.common = {"events", "top", "explain", "format", "out", "policy"};
  return OptionTable(std::move(description));
}

ScoreOptions score_options_of(const ParsedOptions& given) {
  ScoreOptions options;
  options.pools = given.positionals();
  options.event_files = given.paths("events");
  options.rules.replays = given.flag("with-replacement") ? Replays::allowed : Replays::refused;
  options.rules.skip_bad = given.flag("skip-bad");
  options.rules.other_pools = given.flag("any-pool") ? OtherPools::allowed : OtherPools::refused;
  if (std::ranges::count(options.event_files, "-") > 1)
    throw UsageError::option("events", "expected standard input (-) once");
  options.policy = *find_preset(given.text("policy"));
  options.learning = learning_options_of(given, options.policy,
                                         [](const Preset& preset) { return learns_from_events(preset); });
  if (!given.flag("all")) options.top = given.has("top") ? given.integer("top") : 10;
  options.access = given.choice("io", kAccessNames);
  options.trust = given.flag("trust") ? PoolTrust::structure : PoolTrust::checksums;
  options.layout = given.choice("layout", kScanLayoutNames);
  options.memory = memory_of(given, options.access);
  options.rules.room.most_bytes = options.memory;
  options.measure_bandwidth = given.flag("measure-bandwidth");
  options.threads = threads_of(given);
  if (options.measure_bandwidth && options.access == PoolAccess::read)
    throw UsageError::option("measure-bandwidth", "expected with --io map");
  options.output = output_options(given, options.event_files);
  if (given.has("out-dir")) options.out_folder = given.text("out-dir");
  check_outputs(options);
  return options;
}

}  // namespace inkling
