// How fast text becomes a pool, beside the least that the work could take.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

inline constexpr std::array all_ingest_stages = {IngestStage::read, IngestStage::tokenise, IngestStage::count,
                                                 IngestStage::build, IngestStage::write};

[[nodiscard]] std::string_view name_of(IngestStage stage);

struct IngestTiming {
  IngestStage stage = IngestStage::read;
  int threads = 1;
  double seconds = 0.0;      ///< median over the repeats, on the wall
  double cpu_seconds = 0.0;  ///< of that run, of all threads, user and system
};

struct IngestResult {
  std::uint64_t source_bytes = 0;
  std::uint64_t pool_bytes = 0;
  std::int64_t documents = 0;
  std::vector<IngestTiming> timings;  ///< by threads, and within by stage
};

/// Repeats are interleaved, so that a slow moment of the machine meets all stages alike.
[[nodiscard]] IngestResult measure_ingest(const IngestOptions& options,
                                          const std::function<void()>& check_interruption);

}  // namespace inkling::bench
