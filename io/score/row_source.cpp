#include <algorithm>
#include <optional>

#include "io/file/corrupt_file_error.hpp"
#include "io/score/scan_source.hpp"

namespace inkling {
namespace {

class MappedRows final : public ScanSource {
 public:
  MappedRows(const PoolSet& pools, const JointScan& models, const ScanBuffers& buffers)
      : pools_(pools), models_(models), block_rows_(buffers.rows) {}

  [[nodiscard]] bool next(BlockInFlight& block) override {
    while (pool_ < pools_.pools() && row_ == pools_.view(pool_).documents()) {
      ++pool_;
      row_ = 0;
    }
    if (pool_ == pools_.pools()) return false;
    const DocumentId rows = pools_.view(pool_).documents();
    block.pool = pool_;
    block.rows = {row_, row_ + std::min(block_rows_, rows - row_)};
    row_ = block.rows.end;
    return true;
  }

  void score(BlockInFlight& block) const override {
    models_.score_rows(pools_.view(block.pool).by_document, block.rows, block.workspace, block.predictions);
  }

 private:
  const PoolSet& pools_;
  const JointScan& models_;
  std::int32_t block_rows_;
  std::size_t pool_ = 0;
  DocumentId row_ = 0;
};

class StreamedRows final : public ScanSource {
 public:
  StreamedRows(const PoolSet& pools, const JointScan& models, const ScanBuffers& buffers)
      : pools_(pools), models_(models), block_entries_(buffers.entries) {}

  [[nodiscard]] bool next(BlockInFlight& block) override {
    for (; pool_ < pools_.pools(); ++pool_) {
      if (!stream_) open();
      if (stream_->next(block.read_rows)) {
        block.pool = pool_;
        const auto first = static_cast<DocumentId>(block.read_rows.first_row);
        block.rows = {first, first + block.read_rows.view().rows()};
        return true;
      }
      stream_.reset();
    }
    return false;
  }

  void score(BlockInFlight& block) const override {
    const CsrView rows = block.read_rows.view();
    models_.score_rows(rows, {0, rows.rows()}, block.workspace, block.predictions);
  }

 private:
  void open() {
    stream_.emplace(pools_.path(pool_), pools_.trust(), block_entries_);
    if (stream_->manifest() == pools_.manifest(pool_)) return;
    throw CorruptFileError(pools_.path(pool_),
                           "expected the pool that was opened, found another one in its place");
  }

  const PoolSet& pools_;
  const JointScan& models_;
  std::int64_t block_entries_;
  std::size_t pool_ = 0;
  std::optional<RowStream> stream_;
};

}  // namespace

std::unique_ptr<ScanSource> row_source(const PoolSet& pools, const JointScan& models,
                                       const ScanBuffers& buffers) {
  if (pools.access() == PoolAccess::map) return std::make_unique<MappedRows>(pools, models, buffers);
  return std::make_unique<StreamedRows>(pools, models, buffers);
}

}  // namespace inkling
