// The pass over the pool: what it picks or prints of every document's scores.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "io/commands/score_options.hpp"
#include "io/pool/set/pool_set.hpp"
#include "io/score/pool_scan.hpp"
#include "io/score/score_output.hpp"
#include "io/score/score_ranking.hpp"
#include "io/score/score_users.hpp"

namespace inkling {

/// Told how many documents are done; may throw to end the pass.
using ScanProgress = std::function<void(std::int64_t documents)>;

struct RankingPass {
  ScanTotals totals;
  std::deque<Ranking> rankings;  ///< by user
};

/// The best `count` documents of each user. Without replacement those that the user played are left out.
/// Lifetime: the rankings lend the users.
[[nodiscard]] RankingPass rank_documents(const PoolSet& pools, const ScoreUsers& users, Replays replays,
                                         std::size_t count, const ScanOptions& scanning,
                                         const ScanProgress& progress);

/// Prints what was ranked, and takes it: user by user, with the words that made it so where `options` want
/// them.
void print_ranked(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass,
                  const ScoreOptions& options, ScoreOutput& output);

/// Prints every document for every user while the pass goes on: by document, and within it by user.
[[nodiscard]] ScanTotals print_all(const PoolSet& pools, const ScoreUsers& users, const ScoreOptions& options,
                                   const ScanOptions& scanning, const ScanProgress& progress,
                                   ScoreOutput& output);

}  // namespace inkling
