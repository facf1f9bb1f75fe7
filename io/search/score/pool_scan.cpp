#include "io/search/score/pool_scan.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/search/score/scan_source.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kEntryBytes = sizeof(FeatureId) + sizeof(float);
constexpr std::uint64_t kOffsetBytes = sizeof(std::int64_t);

/// A block of this many rows takes some tens of microseconds to score, and its predictions stay in the
/// second-level cache.
constexpr std::int32_t kRowsOfBlock = 4096;
constexpr std::int32_t kLeastRows = 64;
constexpr std::int64_t kMostEntries = std::int64_t{1} << 17U;
/// A dual model takes as long for one row as other models for a whole block: up to a millisecond.
constexpr std::int32_t kRowsOfDualBlock = 64;
constexpr std::int64_t kMostDualEntries = std::int64_t{1} << 13U;
/// The most products of a block of a dual model that only ranks: it scores few documents once a floor is known, but the whole
/// block before that.
constexpr std::size_t kMostProducts = std::size_t{1} << 28U;
constexpr std::int64_t kLeastEntries = 1024;

/// The time for one entry, in nanoseconds of one thread: a posting is moved to its row and then scored, while
/// most entries of a row are only skipped. Only the ratio of the two matters.
struct EntryCost {
  double of_row;
  double of_posting;
};

constexpr EntryCost cost_of(PoolAccess access) {
  // Mapped: rounded from a pool in memory of 100 entries a row, 2.6 of them relevant. Read: an estimate, with
  // a copy, a checksum and a check of each entry on top.
  return access == PoolAccess::map ? EntryCost{.of_row = 0.3, .of_posting = 3.0} : EntryCost{.of_row = 1.3, .of_posting = 5.0};
}

std::int64_t entries_of(const PoolSet& pools, std::span<const FeatureId> features) {
  std::int64_t entries = 0;
  for (const FeatureId feature : features) entries += pools.document_frequency(feature);
  return entries;
}

ScanBuffers largest_buffers(const JointScan& models, bool is_ranked) {
  if (!models.has_dual()) return {.first_rows = kRowsOfBlock, .rows = kRowsOfBlock, .entries = kMostEntries};
  if (!is_ranked) return {.first_rows = kRowsOfDualBlock, .rows = kRowsOfDualBlock, .entries = kMostDualEntries};
  const std::size_t played = std::max(models.most_played(), std::size_t{1});
  const auto rows = static_cast<std::int32_t>(std::min(kMostProducts / (played * played), std::size_t{1} << 20U));
  return {.first_rows = kRowsOfDualBlock, .rows = std::clamp(rows, kRowsOfDualBlock, kRowsOfBlock), .entries = kMostDualEntries};
}

/// The memory that a block takes for each of its rows and for each of its entries.
struct BlockBytes {
  std::uint64_t row;
  std::uint64_t entry;
};

BlockBytes bytes_of_block(const JointScan& models) {
  // A row: its offset, the end of its entries (three times), what a ranking needs, and for each model a prediction and a part of
  // it. An entry: as it was read, restricted to the models' features, and in the part of each model. Twice that, because a
  // vector may have reserved twice what it uses.
  constexpr std::uint64_t of_ranking = sizeof(double) + sizeof(DocumentId) + sizeof(Prediction);
  return {.row = 32 + of_ranking + models.models() * (sizeof(Prediction) + sizeof(std::uint32_t)),
          .entry = 2 * (kEntryBytes + 12 * (1 + models.models()))};
}

constexpr std::uint64_t kCursorBytes = 4096 * kEntryBytes + 256;

/// The least memory with which postings can be read.
std::uint64_t least_for_postings(const JointScan& models) {
  const BlockBytes bytes = bytes_of_block(models);
  const std::uint64_t features = models.features().size();
  return features * kCursorBytes + scan_slots() * kLeastRows * (bytes.row + features * bytes.entry);
}

/// The largest buffers with which all blocks in flight together take no more than `memory`.
ScanBuffers buffers_of(const PoolSet& pools, const ScannedModels& scanned, ScanLayout layout, std::uint64_t memory) {
  const JointScan& models = scanned.models;
  const ScanBuffers most = largest_buffers(models, scanned.ranked != nullptr);
  if (pools.access() == PoolAccess::map) return most;
  const std::uint64_t slots = scan_slots();
  const auto [row_bytes, entry_bytes] = bytes_of_block(models);
  const std::uint64_t of_slot = memory / slots;
  if (layout == ScanLayout::rows) {
    const std::uint64_t least = models.dual_bytes() + kLeastEntries * (row_bytes + entry_bytes);
    if (of_slot < least) {
      throw FormatError("--memory", fmt::format("expected at least {} KiB more, for blocks of {} entries",
                                                (slots * least - memory) / 1024 + 1, kLeastEntries));
    }
    const std::uint64_t entries = (of_slot - models.dual_bytes()) / (row_bytes + entry_bytes);
    return {
        .first_rows = most.first_rows, .rows = most.rows, .entries = std::min(static_cast<std::int64_t>(entries), most.entries)};
  }
  const std::uint64_t features = models.features().size();
  const std::uint64_t least = least_for_postings(models);
  if (memory < least) {
    throw FormatError("--memory", fmt::format("expected at least {} KiB more, for the postings of {} features",
                                              (least - memory) / 1024 + 1, features));
  }
  const std::uint64_t most_rows = (memory - features * kCursorBytes) / slots / (row_bytes + features * entry_bytes);
  const auto rows = static_cast<std::int32_t>(std::min<std::uint64_t>(most_rows, kRowsOfBlock));
  return {.first_rows = rows, .rows = rows, .entries = kMostEntries};
}

ScanLayout layout_of(const PoolSet& pools, const JointScan& models, const ScanOptions& options) {
  if (models.has_dual()) return ScanLayout::rows;
  if (options.layout != ScanLayout::automatic) return options.layout;
  // If there is too little memory for postings, rows are read even if that takes longer.
  const bool is_short = pools.access() == PoolAccess::read && options.memory < least_for_postings(models);
  return is_short ? ScanLayout::rows : cheaper_layout(pools, models.features());
}

/// A block and what receivers see of it.
struct Slot {
  BlockInFlight block;
  ScannedBlock scanned;
};

}  // namespace

std::size_t scan_slots() { return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2; }

ScanLayout cheaper_layout(const PoolSet& pools, std::span<const FeatureId> features) {
  const EntryCost cost = cost_of(pools.access());
  const double rows = cost.of_row * static_cast<double>(pools.nonzeros());
  const double postings = cost.of_posting * static_cast<double>(entries_of(pools, features));
  return postings < rows ? ScanLayout::postings : ScanLayout::rows;
}

ScanTotals scan(const PoolSet& pools, const JointScan& models, const ScanOptions& options, const ScanReceiver& receiver) {
  const ScanLayout layout = layout_of(pools, models, options);
  const ScannedModels scanned = {models, receiver.ranked};
  const ScanBuffers buffers = buffers_of(pools, scanned, layout, options.memory);
  const std::unique_ptr<ScanSource> source = scan_source(layout, pools, scanned, buffers);
  std::vector<Slot> slots(scan_slots());
  std::size_t blocks = 0;
  std::int64_t done = 0;
  const auto read = [&](Slot& slot) {
    if (!source->next(slot.block)) return false;
    slot.scanned = {.index = blocks++,
                    .slot = static_cast<std::size_t>(&slot - slots.data()),
                    .first_document = pools.first_document(slot.block.pool) + slot.block.rows.first,
                    .documents = slot.block.rows.size(),
                    .predictions = {}};
    return true;
  };
  const auto score = [&](Slot& slot) {
    slot.block.predictions.resize(models.models() * slot.scanned.documents);
    source->score(slot.block);
    slot.scanned.predictions = slot.block.predictions;
    receiver.reduce(slot.scanned);
  };
  const auto hand_on = [&](const Slot& slot) {
    receiver.consume(slot.scanned);
    done += static_cast<std::int64_t>(slot.scanned.documents);
    receiver.progress(done);
  };
  ordered_pipeline(slots, read, score, hand_on);
  const auto nonzeros = static_cast<std::uint64_t>(pools.nonzeros());
  const auto documents = static_cast<std::uint64_t>(pools.documents());
  const std::uint64_t bytes = layout == ScanLayout::rows
                                  ? kEntryBytes * nonzeros + kOffsetBytes * documents
                                  : kEntryBytes * static_cast<std::uint64_t>(entries_of(pools, models.features()));
  return {.documents = pools.documents(), .nonzeros = pools.nonzeros(), .layout = layout, .bytes_read = bytes};
}

}  // namespace inkling
