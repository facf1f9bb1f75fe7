// `inkling score`: learns from a person's events and scores every document of a pool.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/output_guard.hpp"
#include "io/cli/peak_memory.hpp"
#include "io/cli/progress.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/terminal.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/commands/commands.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/output_file.hpp"
#include "io/pool/open/pool_set.hpp"
#include "io/score/read_bandwidth.hpp"
#include "io/score/score_pass.hpp"

namespace inkling {
namespace {

struct ScoreOptions {
  std::vector<std::string> pools;
  std::vector<std::string> event_files;
  EventRules rules;
  Preset policy;
  PolicyOptions learning;
  std::optional<std::int64_t> top;  // nothing: all documents, in order of row
  ScoreOutputOptions output;
  std::optional<std::string> out_folder;  // to be made for the files of `output`
  PoolAccess access = PoolAccess::map;
  PoolTrust trust = PoolTrust::checksums;
  ScanLayout layout = ScanLayout::automatic;
  std::uint64_t memory = 0;  // where files are read
  bool measure_bandwidth = false;
  int threads = 1;
};

constexpr std::int64_t kMostRanked = 100'000'000;

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
        "one JSON object a line: {\"document\": ROW, \"reward\": NUMBER, \"features\": [\"word\" or "
        "FEATURE, ...]}; features may be absent, and {\"feature\": \"word\", \"confidence\": 0.5} is a mark "
        "that is not certain; given several times, each file is a user of its own, and all are scored in "
        "one pass",
        Need::required},
       {"with-replacement", Flag{}, "", std::nullopt,
        "documents may be played more than once by events, and played ones stay in the ranking"},
       {"skip-bad", Flag{}, "", std::nullopt,
        "leave out bad events and count them, instead of stopping at the first"}}};
}

OptionGroup model_options() {
  const Real precision = Real::from_to(kSmallestRidge, kLargestRidge);
  return {"The model",
          {{"policy", Choice{policy_names()}, "NAME", "ff-oful", policy_help()},
           {"ridge", precision, "LAMBDA", "1",
            "the prior precision of every word, where the policy has one for all"},
           {"noise", Real::from_to(0.0, 1e6), "R", "0.1", "scale of the noise in rewards"},
           {"norm-bound", Real::from_to(0.0, 1e6), "S", "1", "a bound on the norm of the true weights"},
           {"delta", Real::between(0.0, 1.0), "DELTA", "0.1",
            "probability with which the confidence set may fail"},
           {"radius", Choice{names_of(kRadiusNames)}, "KIND", "automatic",
            "what multiplies the width in ucb; ellipsoid: the radius of the confidence set; posterior: R "
            "sqrt(ln(t + 2)) after t events, narrower; automatic: posterior for soft-marks, else ellipsoid"},
           {"marked-precision", precision, "LAMBDA", std::nullopt,
            "of soft-marks: the prior precision of a marked word (default: R² m / S² for m marked words)"},
           {"unmarked-precision", precision, "LAMBDA", std::nullopt,
            "of soft-marks: the prior precision of a word that was not marked (default: R² d / S² for d "
            "words)"},
           {"mark-probability", Real::above_up_to(0.0, 1.0), "P", std::nullopt,
            "of soft-marks: the probability that a word that matters is marked where it is shown (default: "
            "learned from words that were marked again)"}}};
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
           {"memory", Size{64 * kMebibyte}, "SIZE", "256M", "memory to use with --io read"},
           {"layout", Choice{names_of(kScanLayoutNames)}, "LAYOUT", "auto",
            "rows: read every row; postings: read the lists of documents of the features in use; auto: "
            "what is estimated to be faster; the output is the same"},
           {"trust", Flag{}, "", std::nullopt, "do not compare checksums"},
           {"measure-bandwidth", Flag{}, "", std::nullopt,
            "also measure how fast this machine reads the same rows, and say which share of that a scan of "
            "rows reaches"},
           threads_option()}};
}

// Throws UsageError where the option is given and the policy does not look at it.
void check_used(const ParsedOptions& given, const Preset& policy, const char* name, bool OptionsUsed::*used) {
  if (!given.given(name) || policy.uses.*used) return;
  std::string users;
  for (const Preset& preset : policies_of_events())
    if (preset.uses.*used) users += fmt::format("{}{}", users.empty() ? "" : " or ", preset.name);
  throw UsageError::option(name, fmt::format("expected with --policy {}", users));
}

PolicyOptions policy_options_of(const ParsedOptions& given, const Preset& policy) {
  check_used(given, policy, "ridge", &OptionsUsed::ridge);
  for (const char* name : {"marked-precision", "unmarked-precision", "mark-probability"}) {
    check_used(given, policy, name, &OptionsUsed::soft_marks);
  }
  const auto real_or_rule = [&](const char* name) { return given.has(name) ? given.real(name) : 0.0; };
  PolicyOptions options;
  options.ridge = given.real("ridge");
  options.confidence = {given.real("noise"), given.real("norm-bound"), given.real("delta")};
  options.radius = given.choice("radius", kRadiusNames);
  options.soft_marks = {.unmarked_precision = real_or_rule("unmarked-precision"),
                        .marked_precision = real_or_rule("marked-precision"),
                        .mark_probability = real_or_rule("mark-probability")};
  return options;
}

// "users/anna.jsonl" becomes "FOLDER/anna.csv".
std::vector<std::string> files_in_folder(const std::string& folder,
                                         const std::vector<std::string>& event_files,
                                         std::string_view ending) {
  std::vector<std::string> files;
  std::map<std::string, std::string> events_of;
  for (const std::string& events : event_files) {
    const std::string name = std::filesystem::path(events).stem().string() + std::string(ending);
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
    output.colour = terminal_facts(Stream::output).colour;
  }
  return output;
}

OptionTable score_option_table() {
  return OptionTable(
      {"inkling score",
       "Learns from events and scores every document of a pool, or of several pools or shards as one: mean, "
       "width and ucb = mean + radius x width.",
       "inkling score reviews --events me.jsonl --top 20 --explain --format table",
       {event_options(), model_options(), score_output_options(), scan_options()},
       {"POOL...", "one pool, or several with the same features; rows are counted through all of them", 1,
        SIZE_MAX}});
}

// Throws UsageError where options contradict each other or the terminal.
ScoreOptions score_options_of(const ParsedOptions& given) {
  ScoreOptions options;
  options.pools = given.positionals();
  options.event_files = given.paths("events");
  options.rules.replays = given.flag("with-replacement") ? Replays::allowed : Replays::refused;
  options.rules.skip_bad = given.flag("skip-bad");
  options.policy = *find_preset(given.text("policy"));
  options.learning = policy_options_of(given, options.policy);
  if (!given.flag("all")) options.top = given.has("top") ? given.integer("top") : 10;
  options.access = given.choice("io", kAccessNames);
  options.trust = given.flag("trust") ? PoolTrust::structure : PoolTrust::checksums;
  options.layout = given.choice("layout", kScanLayoutNames);
  options.memory = static_cast<std::uint64_t>(given.integer("memory"));
  options.measure_bandwidth = given.flag("measure-bandwidth");
  options.threads = threads_of(given);
  if (options.measure_bandwidth && options.access == PoolAccess::read)
    throw UsageError::option("measure-bandwidth", "expected with --io map");
  options.output = output_options(given, options.event_files);
  if (given.has("out-dir")) options.out_folder = given.text("out-dir");
  return options;
}

// What is left of --memory for buffers: without the words, the models and the program itself, and without
// what the rankings will hold.
std::uint64_t buffer_memory(const ScoreOptions& options) {
  const std::uint64_t rankings = static_cast<std::uint64_t>(options.top.value_or(0)) *
                                 sizeof(ScoredDocument) * options.event_files.size();
  const std::uint64_t taken = peak_resident_memory().value_or(0) + rankings;
  if (taken < options.memory) return options.memory - taken;
  throw FormatError("--memory", fmt::format("expected more than the {} that words, models and rankings take",
                                            byte_size_text(taken)));
}

// How long the pass took, and what it read.
struct PassCost {
  ScanTotals totals;
  double seconds = 0.0;
};

PassCost score_documents(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options,
                         ScoreOutput& output) {
  ScanOptions scanning = {.layout = options.layout};
  if (options.access == PoolAccess::read) scanning.memory = buffer_memory(options);
  const bool lines_scroll_by =
      !options.top && options.output.files.empty() && terminal_facts(Stream::output).is_terminal;
  Progress line("scoring, documents", static_cast<std::uint64_t>(pools.documents()),
                lines_scroll_by ? ProgressDisplay() : standard_error_display());
  std::int64_t shown = 0;
  const ScanProgress progress = [&](std::int64_t documents) {
    throw_if_interrupted();
    line.advance(static_cast<std::uint64_t>(documents - std::exchange(shown, documents)));
  };
  const Stopwatch watch;
  if (!options.top) {
    const ScanTotals totals = write_all(pools, users, scanning, progress, output);
    return {totals, watch.seconds()};
  }
  RankingPass pass = rank_documents(pools, users, options.rules.replays,
                                    static_cast<std::size_t>(*options.top), scanning, progress);
  const double seconds = watch.seconds();
  line.finish();
  write_ranked(pools, users, pass, output);
  return {pass.totals, seconds};
}

double gigabytes_a_second(std::uint64_t bytes, double seconds) {
  return static_cast<double>(bytes) / 1e9 / std::max(seconds, 1e-9);
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", digit_groups(count), count == 1 ? one : many);
}

// Documents, features in use, documents and bytes a second, peak memory, skipped events.
std::string closing_line(const ScoreUsers& users, const PassCost& cost, const ScoreOptions& options) {
  const ScanTotals& totals = cost.totals;
  std::string text = fmt::format("{} by {}", counted(totals.documents, "document", "documents"),
                                 counted(users.features_in_use, "feature", "features"));
  if (users.count() > 1) text += fmt::format(" for {} users", users.count());
  text += fmt::format(" in {:.3f} s: {} documents/s, {:.2f} GB/s of {} on {}", cost.seconds,
                      short_count(static_cast<double>(totals.documents) / std::max(cost.seconds, 1e-9)),
                      gigabytes_a_second(totals.bytes_read, cost.seconds),
                      totals.layout == ScanLayout::rows ? "rows" : "postings",
                      counted(options.threads, "thread", "threads"));
  if (const auto peak = peak_resident_memory())
    text += fmt::format("; {} resident at most{}", byte_size_text(*peak),
                        options.access == PoolAccess::map ? ", mapped files included" : "");
  if (users.skipped() > 0) text += "; " + counted(users.skipped(), "bad event", "bad events") + " skipped";
  return text;
}

// Scans the rows of the pool, and only reads them, a few times in turn. Requires: PoolAccess::map.
std::string bandwidth_line(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options) {
  constexpr int rounds = 5;
  double scan_rate = 0.0;
  double read_rate = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const Stopwatch scanning;
    const RankingPass pass = rank_documents(
        pools, users, options.rules.replays, static_cast<std::size_t>(options.top.value_or(10)),
        {.layout = ScanLayout::rows}, [](std::int64_t) { throw_if_interrupted(); });
    scan_rate = std::max(scan_rate, gigabytes_a_second(pass.totals.bytes_read, scanning.seconds()));
    const Stopwatch reading;
    const ReadPass read = read_all_rows(pools);
    read_rate = std::max(read_rate, gigabytes_a_second(read.bytes, reading.seconds()));
  }
  return fmt::format(
      "a scan of rows reads {:.2f} GB/s, {:.0f} % of the {:.2f} GB/s at which this machine reads them (best "
      "of {} each)",
      scan_rate, read_rate > 0.0 ? 100.0 * scan_rate / read_rate : 0.0, read_rate, rounds);
}

// The output stands, so nothing that fails from here on changes the exit code.
void sum_up_scores(const PoolSet& pools, const ScoreUsers& users, const PassCost& cost,
                   const ScoreOptions& options) {
  try {
    tell(fmt::format("inkling score: {}\n", closing_line(users, cost, options)));
    if (options.measure_bandwidth)
      tell(fmt::format("inkling score: {}\n", bandwidth_line(pools, users, options)));
  } catch (const std::bad_alloc&) {
    tell("inkling score: the scores are complete, but there is not enough memory to sum them up\n");
  }
}

void guard_inputs(const ScoreOptions& options) {
  OutputGuard guard;
  guard.reads(options.pools);
  guard.reads(options.event_files);
  for (const std::string& file : options.output.files)
    guard.writes(options.out_folder ? "out-dir" : "out", file);
}

void score_pools(const ScoreOptions& options) {
  guard_inputs(options);
  const PoolSet pools = PoolSet::open(options.pools, options.access, options.trust);
  const ScoreUsers users =
      learn_users(pools, options.event_files, options.rules, options.policy, options.learning);
  if (options.out_folder) make_folder(*options.out_folder);
  ScoreOutput output(options.event_files, options.output);
  const PassCost cost = score_documents(pools, users, options, output);
  pools.check_unchanged();
  output.close();
  sum_up_scores(pools, users, cost, options);
}

int score(const ParsedOptions& given) {
  ScoreOptions options = score_options_of(given);
  options.output.print = [](std::string_view text) { fmt::print("{}", text); };
  ThreadLimit limit(options.threads);
  limit.run([&] { score_pools(options); });
  return ExitCode::ok;
}

}  // namespace

Command score_command() { return command_of(score_option_table(), score); }

}  // namespace inkling
