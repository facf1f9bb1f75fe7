// The options of `inkling search`, and their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/corpus/pool/open/open_pool.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/search/service/work_export.hpp"

namespace inkling {

struct SearchOptions {
  std::string pool;
  std::string searches_file;
  bool searches_given = false;
  /// Each only if the command line gives it; a search that is continued has its own values.
  std::optional<std::string> name = {};
  std::optional<std::string> policy = {};
  std::optional<std::uint64_t> seed = {};
  std::optional<std::string> learning = {};  ///< `learning_options_text`
  std::optional<std::string> import_from = {};
  std::optional<std::string> words = {};      ///< to look for, between commas; a minus before one that is not wanted
  std::optional<std::string> rated_by = {};   ///< a field of the records
  std::optional<std::string> export_to = {};  ///< "-" is standard output
  WorkChoice which = WorkChoice::all;         ///< is exported
  bool json = false;
  PoolTrust trust = PoolTrust::checksums;
};

/// The options of search and serve on the pool that they open.
[[nodiscard]] std::vector<Option> pool_options();

[[nodiscard]] OptionTable search_option_table();

/// Throws UsageError where options contradict each other, or where an output would destroy an input.
[[nodiscard]] SearchOptions search_options_of(const ParsedOptions& given);

}  // namespace inkling
