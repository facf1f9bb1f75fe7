// A worker's part of a live search that another process leads: proposes its best document and learns each event.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "engine/sparse/pool_part.hpp"

namespace inkling {

/// A replica of the searcher's policy, with the scores of one shard. The leader asks all replicas to propose, takes the best
/// proposal (`ranks_before`), and gives all the same event. A proposal changes nothing, so a lost replica is rebuilt from the
/// events, in order; if a word is taken back, all are rebuilt from the events without it. The choices are those of a `Searcher`
/// of the whole pool.
///
/// Lifetime: the shard must outlive it. Thread safety: none.
class ShardReplica {
 public:
  /// Where a shard is in its set.
  struct Place {
    DocumentId first = 0;
    DocumentId documents = 0;  ///< of the set, as is `nonzeros`
    std::int64_t nonzeros = 0;
  };

  /// Throws FormatError if the shard does not fit at this place, and where the preset needs the average document and
  /// `options.inkling.average` is not that of the set.
  ShardReplica(PoolView shard, const Place& place, const Preset& preset, const PolicyOptions& options, std::uint64_t seed);
  ~ShardReplica() = default;
  ShardReplica(const ShardReplica&) = delete;
  ShardReplica& operator=(const ShardReplica&) = delete;

  /// The best document of this shard in a round, or the one that all replicas drew at random.
  struct Proposal {
    bool explored = false;
    std::optional<double> radius = {};
    Ranked best = {kNoDocument, 0.0};  ///< kNoDocument if none is left here; a random draw is the same in all replicas
  };
  /// Requires: remaining() > 0.
  [[nodiscard]] Proposal propose();

  /// Documents are numbered as in the set. `row` is that of the event's document; nullptr if this shard holds it or already got
  /// it. Throws FormatError on an invalid event, and then has learned nothing.
  void learn(const PastEvent& event, const SparseRow* row);

  [[nodiscard]] bool holds(DocumentId document) const { return view_.holds(document); }
  /// Lifetime: that of the shard. Requires: holds(document).
  [[nodiscard]] SparseRow row(DocumentId document) const { return view_.row_of(document); }

  /// The best that are left here, best first.
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count) { return policy_.ranking(count); }
  /// How many documents remain in the whole set.
  [[nodiscard]] std::int64_t remaining() const { return policy_.remaining().size(); }
  [[nodiscard]] const Policy& policy() const noexcept { return policy_; }

 private:
  PoolPart part_;
  PoolView view_;
  Policy policy_;
  std::uint64_t seed_;
  std::int64_t round_ = 1;  // the one that awaits its answer
  Ranked best_ = {kNoDocument, 0.0};
};

}  // namespace inkling
