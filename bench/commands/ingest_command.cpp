#include <cerrno>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/speed/ingest.hpp"
#include "engine/core/errors.hpp"
#include "io/cli/byte_size.hpp"
#include "io/cli/interruption.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/file/digit_groups.hpp"
#include "io/file/json_writer.hpp"

namespace inkling::bench {
namespace {

OptionTable ingest_options() {
  return OptionTable(
      {"inkling-bench ingest",
       "Measures how fast text becomes a pool, from the bytes alone to the whole build; medians of "
       "interleaved runs.",
       "inkling-bench ingest corpus.txt --threads 1,2 --peer bench/peers/tfidf_vectorizer.py",
       {{"Input",
         {{"format", Choice{{"lines", "jsonl", "csv", "tsv"}}, "FORMAT", "lines", "what the sources hold"}}},
        {"Run",
         {{"threads", IntegerList{{1, 1024}}, "N,...", "1", "numbers of threads to measure"},
          {"repeats", Integer{1, 1000}, "N", "3", "runs of each stage"},
          {"memory", Size{std::int64_t{64} << 20U}, "SIZE", "1G", "most memory of a build"},
          {"folder", Path{}, "DIR", ".",
           "where pools are built, and removed; its disk is part of what is measured"},
          {"peer", Path{}, "PROGRAM", std::nullopt,
           "also run PROGRAM SOURCE once; the last line that it prints is the seconds that it took"}}},
        {"Output", {{"json", Flag{}, "", std::nullopt, "print one JSON object"}}}},
       {"SOURCE", "the text", 1, 1}});
}

IngestOptions options_from(const ParsedOptions& given) {
  IngestOptions options;
  options.sources = given.positionals();
  options.source.format = given.text("format");
  options.folder = given.text("folder");
  options.memory = static_cast<std::uint64_t>(given.integer("memory"));
  options.threads.clear();
  for (const std::int64_t threads : given.integers("threads"))
    options.threads.push_back(static_cast<int>(threads));
  options.repeats = static_cast<int>(given.integer("repeats"));
  return options;
}

double rate(std::uint64_t bytes, double seconds) { return static_cast<double>(bytes) / 1e6 / seconds; }

std::string ingest_table(const IngestResult& result, const std::optional<IngestPeer>& peer) {
  std::string text =
      fmt::format("{} of text, {} documents; the pool takes {}\n\n", byte_size_text(result.source_bytes),
                  digit_groups(result.documents), byte_size_text(result.pool_bytes));
  text += fmt::format("{:>7}  {:<24}{:>10}{:>10}{:>10}{:>10}{:>12}{:>16}\n", "threads", "stage", "seconds",
                      "fastest", "slowest", "MB/s", "CPU s", "MB/s a CPU s");
  for (const IngestTiming& timing : result.timings) {
    text += fmt::format("{:>7}  {:<24}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.0f}{:>12.3f}{:>16.0f}\n",
                        timing.threads, name_of(timing.stage, kIngestStages), timing.seconds, timing.fastest,
                        timing.slowest, rate(result.source_bytes, timing.seconds), timing.cpu_seconds,
                        rate(result.source_bytes, timing.cpu_seconds));
  }
  if (!peer) return text;
  if (!peer->seconds) return text + fmt::format("\nThe peer failed: {}\n", peer->failure);
  text += fmt::format("{:>7}  {:<24}{:>10.3f}{:>30.0f}\n\n", "", "the peer", *peer->seconds,
                      rate(result.source_bytes, *peer->seconds));
  for (const IngestTiming& timing : result.timings) {
    if (timing.stage == IngestStage::build)
      text += fmt::format("The whole build on {} thread{} is {:.1f} times as fast as the peer.\n",
                          timing.threads, timing.threads == 1 ? "" : "s", *peer->seconds / timing.seconds);
  }
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
    json.member("stage", name_of(timing.stage, kIngestStages)).member("seconds", timing.seconds);
    json.member("fastest", timing.fastest).member("slowest", timing.slowest);
    json.member("cpu_seconds", timing.cpu_seconds).end_object();
  }
  return json.end_array().end_object().take();
}

int ingest(const ParsedOptions& given) {
  const IngestOptions options = options_from(given);
  if (!std::filesystem::is_directory(options.folder))
    throw SystemError(options.folder, ENOTDIR, "cannot build there");
  const IngestResult result = measure_ingest(options, throw_if_interrupted);
  std::optional<IngestPeer> peer;
  if (given.has("peer"))
    peer = run_ingest_peer(given.text("peer"), options.sources.front(), throw_if_interrupted);
  fmt::print("{}", given.flag("json") ? ingest_json(result, peer) + "\n" : ingest_table(result, peer));
  return ExitCode::ok;
}

}  // namespace

Command ingest_command() { return command_of(ingest_options(), ingest); }

}  // namespace inkling::bench
