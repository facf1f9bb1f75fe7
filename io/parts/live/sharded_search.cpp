#include "io/parts/live/sharded_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/core/check_id.hpp"
#include "engine/core/errors.hpp"

namespace inkling {
namespace {

/// The layout, checked against the group and the shard of this worker.
ShardLayout checked_layout(ShardLayout layout, const ShardGroup& group, PoolView shard) {
  const std::vector<std::int64_t>& firsts = layout.first_documents;
  const std::string what = "the shards of a live search";
  if (std::ssize(firsts) != group.workers() + 1)
    throw FormatError(what, "expected one for each of the " + std::to_string(group.workers()) +
                                " workers, got " + std::to_string(std::ssize(firsts) - 1));
  if (firsts.front() != 0 || !std::ranges::is_sorted(firsts))
    throw FormatError(what, "expected documents from 0 on, in order");
  const auto rank = static_cast<std::size_t>(group.rank());
  if (firsts[rank + 1] - firsts[rank] != shard.documents())
    throw FormatError(what, "expected " + std::to_string(firsts[rank + 1] - firsts[rank]) +
                                " documents of worker " + std::to_string(rank) + ", got " +
                                std::to_string(shard.documents()));
  constexpr std::int64_t most = std::numeric_limits<DocumentId>::max();
  if (firsts.back() > most)
    throw FormatError(what, "expected at most " + std::to_string(most) + " documents, got " +
                                std::to_string(firsts.back()) +
                                ": scores of larger sets are made shard by shard");
  return layout;
}

PolicyOptions checked_options(const PolicyOptions& options, const Preset& preset, const ShardGroup& group) {
  if (group.workers() > 1 && preset.uses.word_ratings && !options.inkling.average)
    throw FormatError("the average document", "expected that of the whole set, which one worker cannot know");
  return options;
}

PoolPart part_of(const ShardLayout& layout, int rank) {
  return {static_cast<DocumentId>(layout.first_documents[static_cast<std::size_t>(rank)]),
          static_cast<DocumentId>(layout.first_documents.back()), layout.nonzeros};
}

}  // namespace

ShardedSearch::ShardedSearch(ShardGroup& group, PoolView shard, ShardLayout layout, const Preset& preset,
                             const PolicyOptions& options, RandomStream exploration, RandomStream sampling)
    : group_(group),
      layout_(checked_layout(std::move(layout), group, shard)),
      part_(part_of(layout_, group.rank())),
      view_{shard.by_document, shard.by_feature, &part_},
      policy_(view_, preset, checked_options(options, preset, group), exploration, sampling) {
  policy_.choose_with([this](const Ranked& own) {
    const ShardedChoice best = group_.best({own.score, own.document});
    return Ranked{static_cast<DocumentId>(best.document), best.score};
  });
}

int ShardedSearch::holder(DocumentId document) const {
  const auto after = std::ranges::upper_bound(layout_.first_documents, std::int64_t{document});
  return static_cast<int>(after - layout_.first_documents.begin()) - 1;
}

std::string ShardedSearch::name_of(int rank) const { return "worker " + std::to_string(rank); }

/// Whoever learns from a document needs its row, wherever it is.
void ShardedSearch::fetch_row(const LiveMessage& message, int from) {
  const DocumentId document = message.event.document;
  const int holding = holder(document);
  const bool is_new = group_known_.insert(document).second;
  if (!is_new) return;
  if (from == holding) {
    if (!holds(document)) part_.learn_row(document, message.row.view());
    return;
  }
  const std::vector<std::byte> own = holds(document) ? bytes_of(row(document)) : std::vector<std::byte>();
  const std::vector<std::byte> bytes = group_.broadcast(own, holding);
  if (holds(document)) return;
  const OwnedRow row = row_of(bytes, view_.features(), name_of(holding));
  part_.learn_row(document, row.view());
}

LiveEvent ShardedSearch::learn(int from, const std::function<LiveEvent()>& event) {
  std::vector<std::byte> told;
  if (group_.rank() == from) {
    const LiveEvent own = event();
    const bool sends_row =
        own.document != kNoDocument && holds(own.document) && !group_known_.contains(own.document);
    const SparseRow held = sends_row ? row(own.document) : SparseRow{};
    told = bytes_of(own, sends_row ? &held : nullptr);
  }
  const LiveMessage message = message_of(group_.broadcast(told, from), view_.features(), name_of(from));
  const LiveEvent& said = message.event;
  if (said.document != kNoDocument) {
    check_id("document", said.document, view_.whole_documents());
    fetch_row(message, from);
  }
  policy_.observe({.document = said.document, .reward = said.reward, .words = said.words});
  return message.event;
}

}  // namespace inkling
