// What `inkling score` can be told, and what the command line told it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/doors/cli/option_table.hpp"
#include "io/doors/commands/score/teaching_options.hpp"
#include "io/search/score/pool_scan.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling {

struct ScoreOptions : TeachingOptions {
  std::optional<std::int64_t> top;  // nothing: all documents, in order of row
  ScoreOutputOptions output;
  std::optional<std::string> out_folder;  // to be made for the files of `output`
  ScanLayout layout = ScanLayout::automatic;
  bool measure_bandwidth = false;
};

/// One shard, scored with a model.
struct ShardOptions : PoolReading {
  std::string shard;
  std::string model;
  std::optional<std::string> set;
  std::string out;
  std::int64_t top = 0;
  bool explain = false;
  ScanLayout layout = ScanLayout::automatic;
  int threads = 1;
};

[[nodiscard]] OptionTable score_option_table();

/// Throws UsageError where options contradict each other or the terminal, or where an output would destroy an input.
[[nodiscard]] ScoreOptions score_options_of(const ParsedOptions& given);

/// Whether a model is given, so that `shard_options_of` says the rest.
[[nodiscard]] bool scores_a_shard(const ParsedOptions& given);
[[nodiscard]] ShardOptions shard_options_of(const ParsedOptions& given);

}  // namespace inkling
