// Options of commands that teach policies by events: the pools, the events and how a policy learns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/enum_names.hpp"
#include "engine/policy/policy_options.hpp"
#include "engine/policy/presets.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/search/events/events.hpp"

namespace inkling {

/// How the files of pools are read.
struct PoolReading {
  PoolAccess access = PoolAccess::map;
  PoolTrust trust = PoolTrust::checksums;
  std::uint64_t memory = 0;  // for the models; if files are read, for everything else, too
};

struct TeachingOptions : PoolReading {
  std::vector<std::string> pools;
  std::vector<std::string> event_files;
  EventRules rules;
  Preset policy;
  PolicyOptions learning;
  int threads = 1;
};

[[nodiscard]] OptionGroup event_options();
[[nodiscard]] OptionGroup model_options();
/// How pools are read: --io, --memory, --check, --trust.
[[nodiscard]] std::vector<Option> pool_access_options();
[[nodiscard]] PoolReading pool_reading_of(const ParsedOptions& given);

/// Requires: a table with these options, --threads and pools as positionals. Throws UsageError where options contradict
/// each other.
[[nodiscard]] TeachingOptions teaching_options_of(const ParsedOptions& given);

}  // namespace inkling
