// Where the blocks of a scan come from: rows or postings, mapped or read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/model/ridge_model.hpp"
#include "engine/scoring/scan/joint_scan.hpp"
#include "engine/sparse/csr_view.hpp"
#include "engine/sparse/row_blocks.hpp"
#include "io/corpus/pool/open/pool_set.hpp"
#include "io/corpus/pool/open/read_pool.hpp"
#include "io/search/score/pool_scan.hpp"

namespace inkling {

/// A block of documents of one pool during the scan, with the buffers for reading and scoring it.
struct BlockInFlight {
  std::size_t pool = 0;
  RowBlock rows{0, 0};  ///< within the pool
  CsrBlock read_rows;
  std::vector<DocumentId> read_documents;  ///< of all lists of postings, one after the other
  std::vector<float> read_values;
  std::vector<std::size_t> list_ends;
  std::vector<SparseRow> postings;
  ScanWorkspace workspace;
  std::vector<Prediction> predictions;
};

/// Blocks in order of documents. An exception of any call ends the scan.
class ScanSource {
 public:
  ScanSource() = default;
  virtual ~ScanSource() = default;
  ScanSource(const ScanSource&) = delete;
  ScanSource& operator=(const ScanSource&) = delete;

  /// Sets which rows the next block has, and reads them if files are read; false at the end. One thread at a time.
  [[nodiscard]] virtual bool next(BlockInFlight& block) = 0;

  /// Scores a block. Any thread, several blocks at a time. Requires: `predictions` has its full size.
  virtual void score(BlockInFlight& block) const = 0;
};

/// The size of a block.
struct ScanBuffers {
  std::int32_t first_rows;  ///< in the first mapped block; each later one has up to twice as many as the one before
  std::int32_t rows;        ///< in a block
  std::int64_t entries;     ///< in a block that is read; one row alone may have more
};

/// The models, and which scores a ranking needs; null if all scores are needed.
struct ScannedModels {
  const JointScan& models;
  const RankedScores* ranked;
};

/// Requires: a layout that is not automatic. Lifetime: pools and models outlive the source.
[[nodiscard]] std::unique_ptr<ScanSource> scan_source(ScanLayout layout, const PoolSet& pools, const ScannedModels& models,
                                                      const ScanBuffers& buffers);

}  // namespace inkling
