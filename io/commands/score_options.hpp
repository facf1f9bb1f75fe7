// What `inkling score` can be told, and what the command line told it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "io/cli/option_table.hpp"
#include "io/events/events.hpp"
#include "io/pool/open/pool_set.hpp"
#include "io/score/pool_scan.hpp"
#include "io/score/score_output.hpp"

namespace inkling {

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
  std::uint64_t memory = 0;  // for the models, and where files are read for all else, too
  bool measure_bandwidth = false;
  int threads = 1;
};

[[nodiscard]] OptionTable score_option_table();

/// Throws UsageError where options contradict each other or the terminal, or where an output would destroy an input.
[[nodiscard]] ScoreOptions score_options_of(const ParsedOptions& given);

}  // namespace inkling
