// What a scoring run says of itself on standard error.
#pragma once

#include <cstdint>
#include <string>

#include "io/commands/score_options.hpp"
#include "io/pool/set/pool_set.hpp"
#include "io/score/pool_scan.hpp"
#include "io/score/score_users.hpp"

namespace inkling {

/// One line: documents, features in use, documents and bytes a second, the most memory that was resident (of
/// mapped files what was looked at), bad events left out.
[[nodiscard]] std::string closing_line(const ScoreUsers& users, const ScanTotals& totals, double seconds,
                                       const ScoreOptions& options);

/// Scans the rows of the pool and reads them without doing anything, a few times in turn, and says in one
/// line how fast each was and how much of the one the other reached. Requires: PoolAccess::map.
[[nodiscard]] std::string bandwidth_line(const PoolSet& pools, const ScoreUsers& users,
                                         const ScoreOptions& options);

}  // namespace inkling
