// A live search over a set of which every worker holds one shard.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/policy/policy_state.hpp"
#include "engine/sparse/pool_part.hpp"
#include "io/parts/live/live_event.hpp"
#include "io/parts/live/shard_group.hpp"

namespace inkling {

/// How the documents of a set are dealt out: the worker of rank r holds those from first_documents[r] up to the next.
struct ShardLayout {
  std::vector<std::int64_t> first_documents;  ///< by rank, and the number of all documents
  std::int64_t nonzeros = 0;                  ///< of all
};

/// The worker's half of a search. All workers make the same collective calls in the same order; each then has a policy that
/// learned the same to the last bit, and keeps scores of its own documents alone. The choices are those of one policy of
/// the whole pool with the same preset, options and streams.
///
/// Lifetime: the group and the shard must outlive it. Thread safety: none. After a SystemError of the group it can only be
/// destroyed.
class ShardedSearch {
 public:
  /// Throws FormatError where the layout is not one of this group and shard, where there are more documents than a search
  /// can number, and where the preset needs the average document and `options.inkling.average` is not that of the set.
  ShardedSearch(ShardGroup& group, PoolView shard, ShardLayout layout, const Preset& preset,
                const PolicyOptions& options, RandomStream exploration, RandomStream sampling);
  ~ShardedSearch() = default;
  ShardedSearch(const ShardedSearch&) = delete;
  ShardedSearch& operator=(const ShardedSearch&) = delete;

  [[nodiscard]] bool exhausted() const noexcept { return policy_.exhausted(); }

  /// Collective. Requires: not exhausted().
  [[nodiscard]] Play choose() { return policy_.choose(); }

  /// Collective: the rank of the worker that holds the document.
  [[nodiscard]] int holder(DocumentId document) const;
  [[nodiscard]] bool holds(DocumentId document) const { return view_.holds(document); }
  /// Requires: holds(document).
  [[nodiscard]] SparseRow row(DocumentId document) const { return view_.row_of(document); }

  /// Collective: the worker `from` makes an event, and all learn it. One message goes out where `from` holds the event's
  /// document or the document's row is known to all, else two. Returns the event. Throws FormatError on what cannot be, on
  /// all workers alike.
  LiveEvent learn(int from, const std::function<LiveEvent()>& event);

  /// To look at what was learned.
  [[nodiscard]] const Policy& policy() const noexcept { return policy_; }

 private:
  void fetch_row(const LiveMessage& message, int from);
  [[nodiscard]] std::string name_of(int rank) const;

  ShardGroup& group_;
  ShardLayout layout_;
  std::set<DocumentId> group_known_;  // documents whose rows all workers have
  PoolPart part_;
  PoolView view_;
  Policy policy_;
};

}  // namespace inkling
