// The users of a scoring run, and the pass that ranks all documents for them or writes every score.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "engine/model/ridge_model.hpp"
#include "engine/scoring/ranking.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/search/events/events.hpp"
#include "io/search/events/learning.hpp"
#include "io/search/score/pool_scan.hpp"
#include "io/search/score/score_output.hpp"

namespace inkling {

/// One user for each file of events, in the order given. Each has a new model that learns from their events alone.
struct ScoreUsers {
  std::vector<EventLog> logs;
  std::vector<std::vector<PlayCount>> plays;
  std::vector<SaidOfWords> said;
  std::vector<double> radii;
  std::vector<double> base_means;
  JointScan models;
  std::int64_t features_in_use = 0;  ///< by any of them
  /// What a person should know of the scores: `remarks_of`, and "FILE: WHAT THAT MEANS" for each user whose events leave all of
  /// them equal.
  std::vector<std::string> remarks;

  [[nodiscard]] std::size_t count() const { return logs.size(); }
  [[nodiscard]] std::int64_t skipped() const;
};

/// What a person should know before many processes score these pools by this policy: what is not compared, and not used.
[[nodiscard]] std::vector<std::string> remarks_of(const PoolSet& pools, const Preset& policy, const PolicyOptions& options);

/// Reads every file before it learns from any, so that a bad event is found early. Before the first model is made, the memory of
/// all models together is checked against `rules.room.most_bytes`; `rules.room.model_bytes` is set here. Throws FormatError that
/// names the file of events, also if its numbers cannot be learned from.
[[nodiscard]] ScoreUsers learn_users(const PoolSet& pools, const std::vector<std::string>& event_files, const EventRules& rules,
                                     const Preset& policy, const PolicyOptions& options);

struct ScoredDocument {
  std::int64_t document = 0;
  double mean = 0.0;
  double square = 0.0;  ///< the squared width
  double ucb = 0.0;
};

/// Higher ucb first, ties to the lower row (engine/scoring/ranking.hpp).
[[nodiscard]] constexpr bool ranks_before(const ScoredDocument& left, const ScoredDocument& right) noexcept {
  return score_ranks_before(left.ucb, left.document, right.ucb, right.document);
}

/// Keeps the best `count` of all documents except those left out. The result depends neither on how documents are cut into
/// blocks nor on the order of the calls of pick().
/// Thread safety: pick() from any thread, each with a slot of its own; merge() by one thread at a time, in
/// order of documents.
class Ranking {
 public:
  /// Lifetime: lends `left_out`. Requires: it ascends; count >= 1.
  Ranking(std::size_t count, double radius, std::size_t slots, std::span<const PlayCount> left_out);

  /// Of these consecutive documents, puts those that may be among the best into the slot. Requires: none of them has been
  /// merged.
  void pick(std::size_t slot, std::int64_t first_document, std::span<const Prediction> predictions);

  /// Takes the documents in the slot into the ranking.
  void merge(std::size_t slot);

  /// A document that was not picked yet is among the best only if its score is above this. No merge lowers it. Any thread.
  [[nodiscard]] double floor() const noexcept { return floor_.load(std::memory_order_relaxed); }

  /// Best first. The ranking is empty afterwards.
  [[nodiscard]] std::vector<ScoredDocument> take_best();

 private:
  std::size_t count_;
  double radius_;
  std::span<const PlayCount> left_out_;
  std::vector<std::vector<ScoredDocument>> picked_;  // by slot
  std::vector<ScoredDocument> heap_;                 // its front is the worst of the best
  /// A later document that is not above it cannot be among the best.
  std::atomic<double> floor_{-std::numeric_limits<double>::infinity()};
};

/// Called with the number of documents that are done; may throw to end the pass.
using ScanProgress = std::function<void(std::int64_t documents)>;

struct RankingPass {
  ScanTotals totals;
  std::deque<Ranking> rankings;  ///< by user
};

/// The best `count` documents of each user. If replays are refused, documents that the user played are left out.
/// Lifetime: the rankings lend the users.
[[nodiscard]] RankingPass rank_documents(const PoolSet& pools, const ScoreUsers& users, Replays replays, std::size_t count,
                                         const ScanOptions& scanning, const ScanProgress& progress);

/// The best documents of each user, best first; the rankings are empty afterwards.
[[nodiscard]] std::vector<std::vector<ScoredDocument>> take_best_of(RankingPass& pass);

/// What lines of ranked documents show besides scores.
struct RankedDetail {
  bool ids = false;
  bool explain = false;
};

/// visit(user, line) for each of these documents, user by user. Lines lend what they show until visit returns.
void visit_ranked(const PoolSet& pools, const ScoreUsers& users, const std::vector<std::vector<ScoredDocument>>& best,
                  const RankedDetail& detail, const std::function<void(std::size_t user, const ScoreLine& line)>& visit);

/// Writes what was ranked, user by user, and empties the rankings.
void write_ranked(const PoolSet& pools, const ScoreUsers& users, RankingPass& pass, ScoreOutput& output);

/// Writes every document for every user during the pass: in order of documents, and for each document in order of users.
[[nodiscard]] ScanTotals write_all(const PoolSet& pools, const ScoreUsers& users, const ScanOptions& scanning,
                                   const ScanProgress& progress, ScoreOutput& output);

}  // namespace inkling
