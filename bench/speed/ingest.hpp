// How fast text becomes a pool, beside the least that the work could take.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "io/source/document_source.hpp"

namespace inkling::bench {

struct IngestOptions {
  std::vector<std::string> sources;
  SourceOptions source;
  std::string folder;  ///< an existing one, for pools that are then removed
  std::uint64_t memory = std::uint64_t{1} << 30U;
  std::vector<int> threads = {1};
  int repeats = 3;
};

/// What is timed; each includes reading the files.
enum class IngestStage {
  read,      ///< the bytes, cut into records
  tokenise,  ///< records cut into tokens: the floor of the work
  count,     ///< the first pass: every document's terms, the vocabulary, features chosen
  build,     ///< the whole: also weights, both layouts, checksums, and the disk having it all
  write,     ///< not the text: as many bytes as the pool has, written and fsynced, by one thread
};

inline constexpr EnumName<IngestStage> kIngestStages[] = {{IngestStage::read, "read"},
                                                          {IngestStage::tokenise, "read, tokenise"},
                                                          {IngestStage::count, "first pass"},
                                                          {IngestStage::build, "whole build"},
                                                          {IngestStage::write, "write the pool's bytes"}};

struct IngestTiming {
  IngestStage stage = IngestStage::read;
  int threads = 1;
  double seconds = 0.0;  ///< on the wall: the median of the repeats, as below
  double fastest = 0.0;  ///< of all repeats
  double slowest = 0.0;
  double cpu_seconds = 0.0;  ///< of the median run: of all threads, user and system
};

struct IngestResult {
  std::uint64_t source_bytes = 0;
  std::uint64_t pool_bytes = 0;
  std::int64_t documents = 0;
  std::vector<IngestTiming> timings;  ///< by threads, and within by stage
};

/// Repeats are interleaved, so that a slow moment of the machine slows all stages alike.
[[nodiscard]] IngestResult measure_ingest(const IngestOptions& options,
                                          const std::function<void()>& check_interruption);

/// What another program said of the same text: its seconds, or why there are none.
struct IngestPeer {
  std::optional<double> seconds;
  std::string failure = {};
};

/// Runs PROGRAM SOURCE, which prints its seconds on its last line.
[[nodiscard]] IngestPeer run_ingest_peer(const std::string& program, const std::string& source,
                                         const std::function<void()>& check_interruption);

}  // namespace inkling::bench
