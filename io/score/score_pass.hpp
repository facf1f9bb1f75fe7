// The pass over the pool: ranks every document, or writes every score.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "io/pool/set/pool_set.hpp"
#include "io/score/pool_scan.hpp"
#include "io/score/score_output.hpp"
#include "io/score/score_ranking.hpp"
#include "io/score/score_users.hpp"

namespace inkling {

/// Called with the number of documents that are done; may throw to end the pass.
using ScanProgress = std::function<void(std::int64_t documents)>;

struct RankingPass {
  ScanTotals totals;
  std::deque<Ranking> rankings;  ///< by user
};

/// The best `count` documents of each user. Where replays are refused, those that the user played are left
/// out.
/// Lifetime: the rankings lend the users.
[[nodiscard]] RankingPass rank_documents(const PoolSet& pools, const ScoreUsers& users, Replays replays,
                                         std::size_t count, const ScanOptions& scanning,
                                         const ScanProgress& progress);

/// Writes what was ranked, user by user, and empties the rankings.
void write_ranked(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass, ScoreOutput& output);

/// Writes every document for every user during the pass: by document, and within it by user.
[[nodiscard]] ScanTotals write_all(const PoolSet& pools, const ScoreUsers& users, const ScanOptions& scanning,
                                   const ScanProgress& progress, ScoreOutput& output);

}  // namespace inkling
