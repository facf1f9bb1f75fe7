// One pass over all documents of a set of pools: every model's prediction of every document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "engine/core/enum_names.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "io/corpus/pool/open/pool_set.hpp"

namespace inkling {

/// How the documents' relevant entries are found.
enum class ScanLayout {
  automatic,  ///< the one that `cheaper_layout` returns
  rows,       ///< every row is read from end to end
  postings,   ///< only the lists of documents that hold a relevant feature
};
inline constexpr EnumName<ScanLayout> kScanLayoutNames[] = {
    {ScanLayout::automatic, "auto"}, {ScanLayout::rows, "rows"}, {ScanLayout::postings, "postings"}};

struct ScanOptions {
  ScanLayout layout = ScanLayout::automatic;
  /// Bytes that buffers may take, where files are read rather than mapped.
  std::uint64_t memory = std::uint64_t{1} << 28U;
};

/// Consecutive documents of one pool, scored.
struct ScannedBlock {
  std::size_t index = 0;            ///< blocks are counted from 0, in order of documents
  std::size_t slot = 0;             ///< below scan_slots(); no other block has this one until it is consumed
  std::int64_t first_document = 0;  ///< in the numbering of the set
  std::size_t documents = 0;
  std::span<const Prediction> predictions;  ///< [model * documents + i]

  [[nodiscard]] std::span<const Prediction> of_model(std::size_t model) const {
    return predictions.subspan(model * documents, documents);
  }
};

/// The largest number of blocks in flight at once. A receiver that keeps something for a block from `reduce` until
/// `consume` needs this many places for it.
[[nodiscard]] std::size_t scan_slots();

struct ScanTotals {
  std::int64_t documents = 0;
  std::int64_t nonzeros = 0;             ///< of all rows, read or not
  ScanLayout layout = ScanLayout::rows;  ///< never automatic
  std::uint64_t bytes_read = 0;          ///< rows: 8 a non-zero and 8 a row; postings: 8 an entry
};

/// Where the predictions go. A receiver may throw to end the scan.
struct ScanReceiver {
  /// Called for each block from any thread, in any order.
  std::function<void(const ScannedBlock&)> reduce = [](const ScannedBlock&) {};
  /// Then called for each block by one thread at a time, in order.
  std::function<void(const ScannedBlock&)> consume = [](const ScannedBlock&) {};
  /// Called by one thread at a time with the number of documents that have been consumed.
  std::function<void(std::int64_t documents)> progress = [](std::int64_t) {};
  /// If documents are only ranked: which scores the ranking needs. The scan may skip all others (`RankedScores`). Otherwise null.
  const RankedScores* ranked = nullptr;
};

/// The layout that `automatic` uses: the one that takes less time by an estimate. Reads no postings.
[[nodiscard]] ScanLayout cheaper_layout(const PoolSet& pools, std::span<const FeatureId> features);

/// Scores every document. If a model is dual, rows are read whatever the layout. Predictions do not depend on layout, access or
/// number of threads, but blocks may be cut differently. Requires: the models' features are below pools.features(). Throws as
/// PoolSet does, and FormatError ("--memory") if `options.memory` is too small.
ScanTotals scan(const PoolSet& pools, const JointScan& models, const ScanOptions& options, const ScanReceiver& receiver);

}  // namespace inkling
