// A worker's half of a live search that somebody else leads: asked for its best document, given what was said.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/policy/policy_moment.hpp"
#include "engine/sparse/pool_part.hpp"
#include "io/parts/live/live_event.hpp"
#include "io/parts/live/shard_group.hpp"

namespace inkling {

/// A replica of the searcher's policy, and scores of one shard. Whoever leads asks all replicas to propose, takes the best
/// proposal (`chosen_before`), and tells all the same event. A proposal changes nothing: so a replica that is lost is made
/// again from what was given, in order, and where a word is taken back, all are made again from what was given without it.
/// The choices are those of a `Searcher` of the whole pool.
///
/// Lifetime: the shard must outlive it. Thread safety: none.
class ShardReplica {
 public:
  /// The place of a shard in its set.
  struct Place {
    DocumentId first = 0;
    DocumentId documents = 0;  ///< of the set, as the next
    std::int64_t nonzeros = 0;
  };

  /// Throws FormatError where the shard does not fit there, and where the preset needs the average document and
  /// `options.inkling.average` is not that of the set.
  ShardReplica(PoolView shard, const Place& place, const Preset& preset, const PolicyOptions& options,
               std::uint64_t seed);
  ~ShardReplica() = default;
  ShardReplica(const ShardReplica&) = delete;
  ShardReplica& operator=(const ShardReplica&) = delete;

  /// What this shard has to offer in a round, or what all replicas drew at random.
  struct Proposal {
    bool explored = false;
    std::optional<double> radius = {};
    ShardedChoice best = {};  ///< none where no document is left here; drawn at random, the same for all
  };
  /// Requires: remaining() > 0.
  [[nodiscard]] Proposal propose();

  /// `row` is that of the event's document, where this shard does not hold it. Throws FormatError on what cannot be, and
  /// has learned nothing then.
  void learn(const LiveEvent& event, const OwnedRow* row);

  [[nodiscard]] bool holds(DocumentId document) const { return view_.holds(document); }
  /// Requires: holds(document).
  [[nodiscard]] OwnedRow row(DocumentId document) const;

  /// The best that are left here, best first.
  [[nodiscard]] std::vector<Ranked> ranking(std::size_t count) { return policy_.ranking(count); }
  /// In the whole set.
  [[nodiscard]] std::int64_t remaining() const { return policy_.remaining().size(); }
  [[nodiscard]] const Policy& policy() const noexcept { return policy_; }

 private:
  PoolPart part_;
  PoolView view_;
  Policy policy_;
  std::uint64_t seed_;
  std::int64_t round_ = 1;  // the one that is to be answered
  ShardedChoice best_ = {};
};

}  // namespace inkling
