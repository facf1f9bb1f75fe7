// The product x.v for every document of a pool, by the postings of the relevant features or by rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/model/model_options.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/sparse/row_blocks.hpp"

namespace inkling {

/// A block's documents restricted to the relevant features, each in order of discovery. Kept by its user, so
/// that gathering allocates nothing in the long run.
class GatheredRows {
 public:
  /// Requires: 0 <= n < the block's documents.
  [[nodiscard]] std::span<const RelevantEntry> row(std::size_t n) const noexcept {
    return std::span(entries_).subspan(begins_[n], begins_[n + 1] - begins_[n]);
  }

 private:
  friend class RelevantPostings;

  std::vector<std::uint32_t> begins_;
  std::vector<RelevantEntry> entries_;
};

/// Documents are handled in blocks whose products stay in the first-level cache, and blocks are independent
/// of each other, so that any number of threads may share the work: each document's sum runs over the
/// features in order of discovery on any thread, and so has the same bits.
///
/// Lifetime: lends the pool's postings. Thread safety: const members may be called from several threads at
/// once.
class RelevantPostings {
 public:
  static constexpr std::int32_t kBlock = 4096;
  using BlockOfDoubles = std::array<double, kBlock>;

  explicit RelevantPostings(CsrView by_feature);

  [[nodiscard]] std::int32_t documents() const noexcept { return by_feature_.columns(); }
  [[nodiscard]] std::int32_t blocks() const noexcept { return RowBlocks(documents(), kBlock).count(); }
  /// Requires: 0 <= index < blocks().
  [[nodiscard]] RowBlock block(std::int32_t index) const noexcept { return RowBlocks(documents(), kBlock)[index]; }

  /// Features appended.
  [[nodiscard]] std::size_t size() const noexcept { return postings_.size(); }

  /// Requires: position < size().
  [[nodiscard]] SparseRow operator[](std::size_t position) const noexcept { return postings_[position]; }

  /// The postings of the block's documents. Requires: position < size(), 0 <= index < blocks().
  [[nodiscard]] SparseRow of_block(std::size_t position, std::int32_t index) const noexcept {
    const auto begin = static_cast<std::size_t>(starts_[position][static_cast<std::size_t>(index)]);
    const auto end = static_cast<std::size_t>(starts_[position][static_cast<std::size_t>(index) + 1]);
    const SparseRow all = postings_[position];
    return {all.features.subspan(begin, end - begin), all.values.subspan(begin, end - begin)};
  }

  /// By position: not 0 if no document has a negative value of the feature.
  [[nodiscard]] std::span<const std::uint8_t> never_negative() const noexcept { return never_negative_; }

  /// Adds the postings of the feature at the next position and returns them.
  SparseRow append(FeatureId feature);

  /// products[i - first] = x_i . direction for the documents of the block; entries of zero cost nothing.
  /// Requires: direction.size() == features appended, products.size() == block(index).size().
  void multiply(std::int32_t index, std::span<const double> direction, std::span<double> products) const;

  /// The restricted rows of the block's documents.
  void gather(std::int32_t index, GatheredRows& rows) const;

 private:
  /// Where each block's documents begin in a feature's postings; one more entry than there are blocks.
  using Starts = std::vector<std::int32_t>;

  CsrView by_feature_;
  std::vector<SparseRow> postings_;  // by position
  std::vector<Starts> starts_;       // by position
  /// For each position and posting, the document's place in its block. It is our own copy, because mapped ids may be overwritten.
  std::vector<std::vector<std::uint16_t>> places_;
  std::vector<std::uint8_t> never_negative_;
};

/// x.v for every document of a pool, with v in the coordinates of a model: by the postings of the features in use, where
/// the model keeps a row for each of these; by rows, where it keeps one for each document played. Blocks of documents
/// are independent of each other, and a document's sum has the same bits on any thread.
/// Lifetime: lends the pool. Thread safety: const members may be called from several threads at once.
class PoolProduct {
 public:
  /// No block has more documents.
  static constexpr std::int32_t kLargestBlock = RelevantPostings::kBlock;
  using BlockOfDoubles = RelevantPostings::BlockOfDoubles;

  PoolProduct(PoolView pool, ModelForm form) : by_document_(pool.by_document), form_(form), postings_(pool.by_feature) {}

  /// A feature comes into use: directions by postings have one entry more.
  void admit(FeatureId feature) {
    if (by_postings()) postings_.append(feature);
  }

  /// Sets the direction for `multiply`. By postings, it has an entry for each admitted feature; by rows, for each of these
  /// features. Lifetime: lends the direction until the next call.
  void take(std::span<const double> direction, std::span<const FeatureId> features);
  /// The same with an entry for every feature of the pool. Requires: by rows.
  void take_dense(std::vector<double> direction) {
    dense_ = std::move(direction);
    taken_.clear();
  }

  [[nodiscard]] std::int32_t blocks() const noexcept { return row_blocks().count(); }
  /// Requires: 0 <= index < blocks().
  [[nodiscard]] RowBlock block(std::int32_t index) const noexcept { return row_blocks()[index]; }

  /// products[i - first] = x_i . direction for the documents of the block. Requires: a direction was taken,
  /// products.size() == block(index).size().
  void multiply(std::int32_t index, std::span<double> products) const {
    if (by_postings()) return postings_.multiply(index, direction_, products);
    const RowBlock rows = block(index);
    for (std::size_t n = 0; n < rows.size(); ++n)
      products[n] = dot(by_document_.row(rows.first + static_cast<DocumentId>(n)), dense_);
  }

 private:
  /// Unrestricted rows are long, so a few hundred are enough work for a thread.
  static constexpr std::int32_t kLongRows = 256;

  [[nodiscard]] bool by_postings() const noexcept { return form_ == ModelForm::primal; }
  [[nodiscard]] RowBlocks row_blocks() const noexcept { return {by_document_.rows(), by_postings() ? kLargestBlock : kLongRows}; }

  CsrView by_document_;
  ModelForm form_;
  RelevantPostings postings_;
  std::span<const double> direction_;
  std::vector<double> dense_;     // by feature; 0 outside `taken_`
  std::vector<FeatureId> taken_;  // where dense_ may be other than 0
};

}  // namespace inkling
