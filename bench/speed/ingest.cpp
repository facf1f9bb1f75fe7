#include "bench/speed/ingest.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "bench/speed/child_process.hpp"
#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/build/text_builder.hpp"
#include "io/cli/stopwatch.hpp"
#include "io/cli/thread_limit.hpp"
#include "io/cli/usage_error.hpp"
#include "io/file/output_file.hpp"
#include "io/file/strict_number.hpp"
#include "io/pool/open/pool.hpp"
#include "io/text/tokenizer.hpp"

namespace inkling::bench {
namespace {

double cpu_seconds_now() {
  timespec time = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class BuildMeasurement {
 public:
  explicit BuildMeasurement(const IngestOptions& options)
      : options_(options), pool_(options.folder + "/ingest-pool") {}

  void run(IngestStage stage, int threads) {
    ThreadLimit limit(threads);
    const std::unique_ptr<DocumentSource> source = open_source(options_.sources, options_.source);
    const double cpu_before = cpu_seconds_now();
    const Stopwatch watch;
    limit.run([&] { work(stage, *source); });
    samples_[{threads, stage}].emplace_back(watch.seconds(), cpu_seconds_now() - cpu_before);
    result_.source_bytes = source->total_bytes();
    if (stage == IngestStage::build) remove_pool();
  }

  [[nodiscard]] IngestResult result() {
    for (auto& [key, samples] : samples_) {
      std::ranges::sort(samples);
      const auto& [seconds, cpu_seconds] = samples[samples.size() / 2];
      result_.timings.push_back(
          {key.second, key.first, seconds, samples.front().first, samples.back().first, cpu_seconds});
    }
    return std::move(result_);
  }

 private:
  void work(IngestStage stage, DocumentSource& source) {
    TextBuildOptions build;
    build.memory = options_.memory;
    build.sources = options_.sources;
    switch (stage) {
      case IngestStage::read:
        read(source);
        return;
      case IngestStage::tokenise:
        tokenise(source);
        return;
      case IngestStage::count:
        result_.documents = plan_text_pool(source, build).summary.corpus.documents;
        return;
      case IngestStage::build: {
        PoolStaging staging(pool_);
        result_.documents = build_text_pool(source, build, staging).corpus.documents;
        return;
      }
      case IngestStage::write:
        write();
        return;
    }
  }

  static void read(DocumentSource& source) {
    Chunk chunk;
    while (source.read(chunk)) {
    }
  }

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

  // The count keeps the compiler from leaving the work out.
  static std::uint64_t count_tokens(const DocumentSource& source, const Chunk& chunk, Tokenizer& tokenizer) {
    std::uint64_t tokens = 0;
    const ChunkOutcome outcome = source.parse(chunk, [&](const SourceDocument& document) {
      tokenizer.for_each(document.text, [&tokens](std::string_view) { ++tokens; });
    });
    return tokens + static_cast<std::uint64_t>(outcome.lines);
  }

  void write() const {
    const std::string path = options_.folder + "/ingest-write";
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

  void remove_pool() {
    result_.pool_bytes = pool_bytes(pool_);
    std::filesystem::remove_all(pool_);
  }

  const IngestOptions& options_;
  std::string pool_;
  std::map<std::pair<int, IngestStage>, std::vector<std::pair<double, double>>> samples_;
  std::uint64_t tokens_ = 0;
  IngestResult result_;
};

}  // namespace

IngestResult measure_ingest(const IngestOptions& options, const std::function<void()>& check_interruption) {
  BuildMeasurement measurement(options);
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (const int threads : options.threads) {
      for (const auto& stage : kIngestStages) {
        check_interruption();
        measurement.run(stage.value, threads);
      }
    }
  }
  return measurement.result();
}

IngestPeer run_ingest_peer(const std::string& program, const std::string& source,
                           const std::function<void()>& check_interruption) {
  try {
    const ChildResult result = run_child({program, source}, {}, check_interruption);
    if (result.exit_code != 0) return {std::nullopt, failure_of(program, result)};
    const std::string line(last_line(result.out));
    const std::optional<double> seconds = parse_real(line);
    if (seconds && *seconds > 0.0) return {seconds};
    return {std::nullopt,
            fmt::format("{}: expected seconds on its last line, got {}", program, in_quotes(line))};
  } catch (const SystemError& error) {
    return {std::nullopt, error.what()};
  }
}

}  // namespace inkling::bench
