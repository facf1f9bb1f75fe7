#include "io/matrix/matrix_spill.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// What a row or column costs while the pool is written: its counts, offsets, and their copies.
constexpr std::uint64_t kBytesPerLine = 64;
// What an entry costs while its row is sorted.
constexpr std::uint64_t kBytesPerRowEntry = 64;

// Labels are names to choose by. Where there are more than this, they are probably numbers to predict.
constexpr std::size_t kMostLabels = std::size_t{1} << 16U;

}  // namespace

MatrixSpill::MatrixSpill(const PoolStaging& staging, std::string name, RowOrder order, LabelUse labels,
                         Limits limits)
    : name_(std::move(name)),
      order_(order),
      label_use_(labels),
      limits_(limits),
      entries_(staging),
      labels_(staging) {
  if (limits_.columns) grow(column_counts_, *limits_.columns, "columns");
}

void MatrixSpill::append(const MatrixBatch& batch) {
  count_columns(batch);
  if (order_ == RowOrder::any) count_rows(batch);
  append_labels(batch);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(batch.entries));
  segments_.push_back({.position = entries_.size(), .entries = batch.entries.size(), .rows = batch.rows});
  entries_.append(bytes);
  rows_ += batch.rows;
  nonzeros_ += static_cast<std::int64_t>(batch.entries.size());
}

void MatrixSpill::finish(const DeclaredShape& shape) {
  if (shape.columns) grow(column_counts_, *shape.columns, "columns");
  if (order_ == RowOrder::ascending) return;
  if (shape.rows) grow(row_counts_, *shape.rows, "rows");
  rows_ = static_cast<std::int64_t>(row_counts_.size());
}

std::vector<MatrixEntry> MatrixSpill::read(const Segment& segment) const {
  std::vector<MatrixEntry> entries(static_cast<std::size_t>(segment.entries));
  entries_.read(segment.position, std::as_writable_bytes(std::span(entries)));
  return entries;
}

void MatrixSpill::release(const Segment& segment) const noexcept {
  entries_.release(segment.position, segment.entries * sizeof(MatrixEntry));
}

void MatrixSpill::write_labels(PoolStaging& staging) const {
  if (label_use_ == LabelUse::keep && order_ == RowOrder::ascending) labels_.write(staging);
}

void MatrixSpill::count_columns(const MatrixBatch& batch) {
  std::int64_t row_entries = 0;
  std::int32_t row = -1;
  for (const MatrixEntry& entry : batch.entries) {
    const auto column = static_cast<std::size_t>(entry.feature);
    if (column >= column_counts_.size()) {
      if (limits_.columns) {
        throw FormatError(name_,
                          fmt::format("expected {} columns, as many as terms or features were given, found "
                                      "column {}",
                                      *limits_.columns, column + 1));
      }
      grow(column_counts_, entry.feature + std::int64_t{1}, "columns");
    }
    ++column_counts_[column];
    row_entries = entry.row == row ? row_entries + 1 : 1;
    row = entry.row;
    if (order_ == RowOrder::ascending &&
        static_cast<std::uint64_t>(row_entries) * kBytesPerRowEntry > limits_.memory)
      throw FormatError(name_, "expected rows that fit into memory, found a longer one (--memory)");
  }
}

void MatrixSpill::count_rows(const MatrixBatch& batch) {
  for (const MatrixEntry& entry : batch.entries) {
    grow(row_counts_, entry.row + std::int64_t{1}, "rows");
    std::int64_t& count = row_counts_[static_cast<std::size_t>(entry.row)];
    if (static_cast<std::uint64_t>(++count) * kBytesPerRowEntry > limits_.memory)
      throw FormatError(name_, "expected rows that fit into memory, found a longer one (--memory)");
  }
}

void MatrixSpill::grow(std::vector<std::int64_t>& counts, std::int64_t size, const char* what) const {
  if (size <= static_cast<std::int64_t>(counts.size())) return;
  const std::uint64_t most = limits_.memory / kBytesPerLine;
  if (static_cast<std::uint64_t>(size) > most) {
    throw FormatError(
        name_, fmt::format("expected at most {} {}, for which there is memory (--memory), found {}", most,
                           what, size));
  }
  counts.resize(static_cast<std::size_t>(size));
}

void MatrixSpill::append_labels(const MatrixBatch& batch) {
  if (label_use_ == LabelUse::drop || order_ == RowOrder::any) return;
  labels_.append(batch.labels);
  if (labels_.size() > kMostLabels) {
    throw FormatError(name_,
                      fmt::format("expected at most {} different labels, found more; are they numbers to "
                                  "predict? (--no-labels)",
                                  kMostLabels));
  }
}

}  // namespace inkling
