#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "bench/commands/commands.hpp"
#include "bench/report/child_process.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/file/strict_number.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/process/stopwatch.hpp"
#include "io/base/process/thread_limit.hpp"
#include "io/base/system/interruption.hpp"
#include "io/base/wording/byte_size.hpp"
#include "io/base/wording/quotes.hpp"
#include "io/corpus/from_text/text_builder.hpp"
#include "io/corpus/pool/open/pool.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/text/tokenizer.hpp"

namespace inkling::bench {
namespace {

OptionTable ingest_options() {
  return OptionTable(
      {"inkling-bench ingest",
       "Measures how fast text becomes a pool. It goes from the bytes alone to the whole build, and prints "
       "medians "
       "of interleaved runs.",
       "inkling-bench ingest corpus.txt --threads 1,2 --peer bench/peers/tfidf_vectorizer.py",
       {{"Input", {{"format", Choice{document_formats()}, "FORMAT", "lines", "what the sources hold"}}},
        {"Run",
         {{"threads", IntegerList{{1, 1024}}, "N,...", "1", "numbers of threads to measure"},
          {"repeats", Integer{1, 1000}, "N", "3", "runs of each stage"},
          {"memory", Size{std::int64_t{64} << 20U}, "SIZE", "1G", "most memory of a build"},
          {"folder", Path{}, "DIR", ".", "where pools are built, and removed; its disk is part of what is measured"},
          {"peer", Path{}, "PROGRAM", std::nullopt,
           "also run PROGRAM SOURCE once; the last line that it prints is the seconds that it took"}}},
        {"Output", {{"json", Flag{}, "", std::nullopt, "print one JSON object"}}}},
       {"SOURCE", "the text", 1, 1}});
}

/// The stage that a peer is compared with.
constexpr std::string_view kWholeBuild = "whole build";

struct IngestTiming {
  std::string_view stage;
  int threads;
  double seconds;  ///< wall time of the median repeat
  double fastest;  ///< of all repeats
  double slowest;
  double cpu_seconds;  ///< of the median run: of all threads, user and system
};

struct IngestResult {
  std::uint64_t source_bytes = 0;
  std::uint64_t pool_bytes = 0;
  std::int64_t documents = 0;
  std::vector<IngestTiming> timings;  ///< ordered by threads, then by stage
};

double cpu_seconds_now() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class IngestMeasurement {
 public:
  explicit IngestMeasurement(const ParsedOptions& given) : folder_(given.text("folder")), pool_(folder_ + "/ingest-pool") {
    if (!std::filesystem::is_directory(folder_)) throw SystemError(folder_, ENOTDIR, "cannot build there");
    reading_.format = given.text("format");
    build_.recipe = TextRecipe::like_scikit_learn();  // as the peer does, and as in earlier figures
    build_.memory = static_cast<std::uint64_t>(given.integer("memory"));
    build_.origin.sources = given.positionals();
  }

  void run_stages(int threads) {
    for (const Stage& stage : stages_) {
      throw_if_interrupted();
      ThreadLimit limit(threads);
      const std::unique_ptr<DocumentSource> source = open_source(build_.origin.sources, reading_);
      const double cpu_before = cpu_seconds_now();
      const Stopwatch watch;
      limit.run([&] { stage.work(*source); });
      samples_[{threads, &stage}].emplace_back(watch.seconds(), cpu_seconds_now() - cpu_before);
      result_.source_bytes = source->total_bytes();
      if (stage.name != kWholeBuild) continue;
      result_.pool_bytes = pool_bytes(pool_);
      std::filesystem::remove_all(pool_);
    }
  }

  [[nodiscard]] IngestResult result() {
    for (auto& [key, samples] : samples_) {
      std::ranges::sort(samples);
      const auto& [seconds, cpu_seconds] = samples[samples.size() / 2];
      result_.timings.push_back({key.second->name, key.first, seconds, samples.front().first, samples.back().first, cpu_seconds});
    }
    return std::move(result_);
  }

 private:
  struct Stage {
    std::string_view name;
    std::function<void(DocumentSource&)> work;
  };

  void tokenise(DocumentSource& source) {
    struct Piece {
      Chunk chunk;
      std::uint64_t tokens = 0;
    };
    tbb::enumerable_thread_specific<Tokenizer> tokenizers([] { return Tokenizer({}); });
    std::vector<Piece> pieces(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2);
    ordered_pipeline(
        pieces, [&](Piece& piece) { return source.read(piece.chunk); },
        [&](Piece& piece) { piece.tokens = count_tokens(source, piece.chunk, tokenizers.local()); },
        [&](const Piece& piece) { tokens_ += piece.tokens; });
  }

  // Returns a count so that the compiler cannot remove the work.
  static std::uint64_t count_tokens(const DocumentSource& source, const Chunk& chunk, Tokenizer& tokenizer) {
    std::uint64_t tokens = 0;
    const ChunkOutcome outcome = source.parse(chunk, [&](const SourceDocument& document) {
      tokenizer.for_each(document.text, [&tokens](std::string_view) { ++tokens; });
    });
    return tokens + static_cast<std::uint64_t>(outcome.lines);
  }

  void write() const {
    const std::string path = folder_ + "/ingest-write";
    const std::string block(std::size_t{1} << 20U, 'x');
    OutputFile file(path);
    for (std::uint64_t left = result_.pool_bytes; left > 0;) {
      const std::uint64_t now = std::min<std::uint64_t>(left, block.size());
      file.append(std::string_view(block).substr(0, static_cast<std::size_t>(now)));
      left -= now;
    }
    file.close();
    std::filesystem::remove(path);
  }

  /// The timed stages and the lower bounds of the work. All but the last include reading the files.
  const std::vector<Stage> stages_ = {
      {"read",  // the bytes, cut into records
       [](DocumentSource& source) {
         for (Chunk chunk; source.read(chunk);) continue;
       }},
      {"read, tokenise",  // records cut into tokens: the floor of the work
       [this](DocumentSource& source) { tokenise(source); }},
      {"first pass",  // every document's terms, the vocabulary, features chosen
       [this](DocumentSource& source) { result_.documents = plan_text_pool(source, build_).summary.corpus.documents; }},
      {kWholeBuild,  // also weights, both layouts, checksums, and fsync
       [this](DocumentSource& source) {
         PoolStaging staging(pool_);
         result_.documents = build_text_pool(source, build_, staging).corpus.documents;
       }},
      {"write the pool's bytes",  // as many bytes as it has, written and fsynced by one thread
       [this](DocumentSource&) { write(); }}};
  std::string folder_;
  std::string pool_;
  SourceOptions reading_;
  TextBuildOptions build_;
  std::map<std::pair<int, const Stage*>, std::vector<std::pair<double, double>>> samples_;
  std::uint64_t tokens_ = 0;
  IngestResult result_;
};

/// Repeats are interleaved, so that a slow spell of the machine slows all stages alike.
IngestResult measure_ingest(const ParsedOptions& given) {
  IngestMeasurement measurement(given);
  for (std::int64_t repeat = 0; repeat < given.integer("repeats"); ++repeat)
    for (const std::int64_t threads : given.integers("threads")) measurement.run_stages(static_cast<int>(threads));
  return measurement.result();
}

/// The result of another program on the same text: its seconds, or why there are none.
struct IngestPeer {
  std::optional<double> seconds;
  std::string failure = {};
};

/// Runs PROGRAM SOURCE, which prints its seconds on its last line.
IngestPeer run_ingest_peer(const std::string& program, const std::string& source) {
  try {
    const ChildResult result = run_child({program, source}, {}, throw_if_interrupted);
    if (result.exit_code != 0) return {std::nullopt, failure_of(program, result)};
    const std::string line(last_line(result.out));
    const std::optional<double> seconds = parse_real(line);
    if (seconds && *seconds > 0.0) return {seconds};
    return {std::nullopt, fmt::format("{}: expected seconds on its last line, got {}", program, in_quotes(line))};
  } catch (const SystemError& error) {
    return {std::nullopt, error.what()};
  }
}

double rate(std::uint64_t bytes, double seconds) { return static_cast<double>(bytes) / 1e6 / seconds; }

std::string ingest_table(const IngestResult& result, const std::optional<IngestPeer>& peer) {
  std::string text = fmt::format("{} of text, {} documents; the pool takes {}\n\n", byte_size_text(result.source_bytes),
                                 digit_groups(result.documents), byte_size_text(result.pool_bytes));
  text += fmt::format("{:>7}  {:<24}{:>10}{:>10}{:>10}{:>10}{:>12}{:>16}\n", "threads", "stage", "seconds", "fastest", "slowest",
                      "MB/s", "CPU s", "MB/s a CPU s");
  for (const IngestTiming& timing : result.timings) {
    text += fmt::format("{:>7}  {:<24}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.0f}{:>12.3f}{:>16.0f}\n", timing.threads, timing.stage,
                        timing.seconds, timing.fastest, timing.slowest, rate(result.source_bytes, timing.seconds),
                        timing.cpu_seconds, rate(result.source_bytes, timing.cpu_seconds));
  }
  if (!peer) return text;
  if (!peer->seconds) return text + fmt::format("\nThe peer failed: {}\n", visible_text(peer->failure));
  text += fmt::format("{:>7}  {:<24}{:>10.3f}{:>30.0f}\n\n", "", "the peer", *peer->seconds,
                      rate(result.source_bytes, *peer->seconds));
  for (const IngestTiming& timing : result.timings)
    if (timing.stage == kWholeBuild)
      text += fmt::format("The whole build on {} thread{} is {:.1f} times as fast as the peer.\n", timing.threads,
                          timing.threads == 1 ? "" : "s", *peer->seconds / timing.seconds);
  return text;
}

std::string ingest_json(const IngestResult& result, const std::optional<IngestPeer>& peer) {
  JsonWriter json;
  json.begin_object().member("source_bytes", result.source_bytes).member("documents", result.documents);
  json.member("pool_bytes", result.pool_bytes);
  if (peer && peer->seconds) json.member("peer_seconds", *peer->seconds);
  if (peer && !peer->seconds) json.member("peer_failure", peer->failure);
  json.key("timings").begin_array();
  for (const IngestTiming& timing : result.timings) {
    json.begin_object().member("threads", timing.threads);
    json.member("stage", timing.stage).member("seconds", timing.seconds);
    json.member("fastest", timing.fastest).member("slowest", timing.slowest);
    json.member("cpu_seconds", timing.cpu_seconds).end_object();
  }
  return json.end_array().end_object().take();
}

int ingest(const ParsedOptions& given) {
  const IngestResult result = measure_ingest(given);
  std::optional<IngestPeer> peer;
  if (given.has("peer")) peer = run_ingest_peer(given.text("peer"), given.positionals().front());
  fmt::print("{}", given.flag("json") ? ingest_json(result, peer) + "\n" : ingest_table(result, peer));
  return ExitCode::ok;
}

}  // namespace

Command ingest_command() { return command_of(ingest_options(), ingest); }

}  // namespace inkling::bench
