// Which of the kept searches a command line means.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "io/corpus/pool/open/joined_pool.hpp"
#include "io/doors/cli/option_table.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

/// The file that keeps the searches of a pool (a folder, or the file of a set), or else the file itself.
[[nodiscard]] std::string searches_at(const std::string& asked);

[[nodiscard]] std::string names_with_ids(std::span<const SessionFacts> sessions);

/// The sessions with the name or id that --name gives; all without --name. Throws UsageError if there is none.
[[nodiscard]] std::vector<SessionFacts> asked_sessions(const ParsedOptions& options, std::vector<SessionFacts> all);

/// Throws UsageError unless there is one.
[[nodiscard]] SessionFacts only_session(std::vector<SessionFacts> asked);

/// Throws UsageError unless the pool is that of the search, to which records may have been added since.
void check_pool_of(const SessionFacts& facts, const WholePool& whole);

}  // namespace inkling
