#include "io/search/score/scan_source.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "io/base/file/corrupt_file_error.hpp"

namespace inkling {
namespace {

/// Cuts the documents of each pool into blocks; derived classes fill them.
class CutSource : public ScanSource {
 public:
  CutSource(const PoolSet& pools, const ScannedModels& models, const ScanBuffers& buffers)
      : pools_(pools), models_(models), most_rows_(buffers.rows), block_rows_(buffers.first_rows) {}

  [[nodiscard]] bool next(BlockInFlight& block) final {
    while (pool_ < pools_.pools() && row_ == pools_.manifest(pool_).rows) {
      ++pool_;
      row_ = 0;
    }
    if (pool_ == pools_.pools()) return false;
    if (row_ == 0) enter(pool_);
    const auto rows = static_cast<DocumentId>(pools_.manifest(pool_).rows);
    block.pool = pool_;
    block.rows = {row_, row_ + std::min(block_rows_, rows - row_)};
    row_ = block.rows.end;
    block_rows_ = std::min(2 * block_rows_, most_rows_);
    fill(block);
    return true;
  }

 protected:
  virtual void enter(std::size_t /*pool*/) {}
  virtual void fill(BlockInFlight& /*block*/) {}

  [[nodiscard]] const PoolSet& pools() const noexcept { return pools_; }
  [[nodiscard]] const JointScan& models() const noexcept { return models_.models; }
  [[nodiscard]] const RankedScores* ranked() const noexcept { return models_.ranked; }

 private:
  const PoolSet& pools_;
  ScannedModels models_;
  std::int32_t most_rows_;
  std::int32_t block_rows_;
  std::size_t pool_ = 0;
  DocumentId row_ = 0;
};

class MappedRows final : public CutSource {
 public:
  using CutSource::CutSource;

  void score(BlockInFlight& block) const override {
    models().score_rows(pools().view(block.pool).by_document, block.rows, block.workspace, block.predictions, ranked());
  }
};

class StreamedRows final : public ScanSource {
 public:
  StreamedRows(const PoolSet& pools, const ScannedModels& models, const ScanBuffers& buffers)
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
    models_.models.score_rows(rows, {0, rows.rows()}, block.workspace, block.predictions, models_.ranked);
  }

 private:
  void open() {
    const auto& pool = dynamic_cast<const ReadPool&>(pools_.member(pool_));
    stream_.emplace(pool.files(), pools_.trust(), block_entries_);
  }

  const PoolSet& pools_;
  ScannedModels models_;
  std::int64_t block_entries_;
  std::size_t pool_ = 0;
  std::optional<RowStream> stream_;
};

class MappedPostings final : public CutSource {
 public:
  using CutSource::CutSource;

  void score(BlockInFlight& block) const override {
    const CsrView by_feature = pools().view(block.pool).by_feature;
    block.postings.clear();
    block.read_documents.clear();
    for (const FeatureId feature : models().features()) {
      const SparseRow postings = postings_within(by_feature.row(feature), block.rows);
      const std::span<const DocumentId> documents = postings.features.unchecked();
      block.postings.push_back(postings);
      block.read_documents.insert(block.read_documents.end(), documents.begin(), documents.end());
    }
    use_copies(block);
    models().score_postings(block.postings, block.rows, block.workspace, block.predictions);
  }

 private:
  // A document of a posting is an index into the block. If the file is cut or changed while it is mapped, the index may be out of
  // bounds. So documents are copied first, and the checked copies are used.
  void use_copies(BlockInFlight& block) const {
    bool outside = false;
    for (const DocumentId document : block.read_documents) outside |= document < block.rows.first || document >= block.rows.end;
    if (outside) {
      throw CorruptFileError(pool_file_path(pools().path(block.pool), PoolFile::column_rows),
                             "was changed while it was being read");
    }
    std::size_t begin = 0;
    for (SparseRow& postings : block.postings) {
      postings.features = std::span<const DocumentId>(block.read_documents).subspan(begin, postings.size());
      begin += postings.size();
    }
  }
};

/// A list of postings read piece by piece.
class PostingsCursor {
 public:
  PostingsCursor(const ReadPool& pool, FeatureId feature) : pool_(pool), feature_(feature) {
    std::tie(next_, end_) = pool.postings_of(feature);
  }

  /// Appends the entries of rows before `end` to the block.
  void take_until(DocumentId end, BlockInFlight& block) {
    for (;;) {
      const auto from = documents_.begin() + static_cast<std::ptrdiff_t>(used_);
      const auto to = std::lower_bound(from, documents_.end(), end);
      const auto count = to - from;
      block.read_documents.insert(block.read_documents.end(), from, to);
      const auto values = values_.begin() + static_cast<std::ptrdiff_t>(used_);
      block.read_values.insert(block.read_values.end(), values, values + count);
      used_ += static_cast<std::size_t>(count);
      if (used_ < documents_.size() || next_ == end_) return;
      refill();
    }
  }

 private:
  static constexpr std::int64_t kMostPostings = 4096;

  void refill() {
    const auto count = static_cast<std::size_t>(std::min(kMostPostings, end_ - next_));
    documents_.resize(count);
    values_.resize(count);
    pool_.read_postings(next_, documents_, values_);
    next_ += static_cast<std::int64_t>(count);
    used_ = 0;
    for (std::size_t n = 0; n < count; ++n) {
      if (documents_[n] <= last_ || documents_[n] >= pool_.manifest().rows)
        throw CorruptFileError(pool_.postings_path(), "expected column {} to ascend below {}, found {} after {}", feature_,
                               pool_.manifest().rows, documents_[n], last_);
      if (!std::isfinite(values_[n]))
        throw CorruptFileError(pool_.posting_values_path(), "expected finite numbers in column {}", feature_);
      last_ = documents_[n];
    }
  }

  const ReadPool& pool_;
  FeatureId feature_;
  std::int64_t next_ = 0;  // to be read
  std::int64_t end_ = 0;
  std::vector<DocumentId> documents_;
  std::vector<float> values_;
  std::size_t used_ = 0;
  DocumentId last_ = -1;
};

class ReadPostings final : public CutSource {
 public:
  using CutSource::CutSource;

  void score(BlockInFlight& block) const override {
    block.postings.clear();
    std::size_t begin = 0;
    for (const std::size_t end : block.list_ends) {
      block.postings.push_back({std::span(block.read_documents).subspan(begin, end - begin),
                                std::span(block.read_values).subspan(begin, end - begin)});
      begin = end;
    }
    models().score_postings(block.postings, block.rows, block.workspace, block.predictions);
  }

 protected:
  void enter(std::size_t pool) override {
    cursors_.clear();
    for (const FeatureId feature : models().features())
      cursors_.emplace_back(dynamic_cast<const ReadPool&>(pools().member(pool)), feature);
  }

  void fill(BlockInFlight& block) override {
    block.read_documents.clear();
    block.read_values.clear();
    block.list_ends.clear();
    for (PostingsCursor& cursor : cursors_) {
      cursor.take_until(block.rows.end, block);
      block.list_ends.push_back(block.read_documents.size());
    }
  }

 private:
  std::vector<PostingsCursor> cursors_;
};

}  // namespace

std::unique_ptr<ScanSource> scan_source(ScanLayout layout, const PoolSet& pools, const ScannedModels& models,
                                        const ScanBuffers& buffers) {
  const bool mapped = pools.access() == PoolAccess::map;
  if (layout == ScanLayout::rows) {
    if (mapped) return std::make_unique<MappedRows>(pools, models, buffers);
    return std::make_unique<StreamedRows>(pools, models, buffers);
  }
  if (mapped) return std::make_unique<MappedPostings>(pools, models, buffers);
  return std::make_unique<ReadPostings>(pools, models, buffers);
}

}  // namespace inkling
