#include "io/corpus/matrix/matrix_spill.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/corpus/pool/write/grouped_entries.hpp"

namespace inkling {
namespace {

// What a row or column costs while the pool is written: its counts, offsets, and their copies.
constexpr std::uint64_t kBytesPerLine = 64;
// What an entry costs while its row is sorted.
constexpr std::uint64_t kBytesPerRowEntry = 64;

// Labels are names to choose by. If there are more than this, they are probably numbers to predict.
constexpr std::size_t kMostLabels = std::size_t{1} << 16U;

}  // namespace

MatrixSpill::MatrixSpill(const PoolStaging& staging, const MatrixSource& source, const ImportOptions& options,
                         std::optional<std::int64_t> columns)
    : source_(source), order_(source.order()), options_(options), columns_(columns), entries_(staging), labels_(staging) {
  if (columns_) grow(column_counts_, *columns_, "columns");
}

void MatrixSpill::append(const MatrixBatch& batch) {
  count_columns(batch);
  if (order_ == RowOrder::any) {
    count_rows(batch.entries);
    count_rows(batch.zero_places);
  }
  append_labels(batch);
  segments_.push_back(
      {.position = entries_.size(), .entries = batch.entries.size() + batch.zero_places.size(), .rows = batch.rows});
  entries_.append(std::as_bytes(std::span(batch.entries)));
  entries_.append(std::as_bytes(std::span(batch.zero_places)));
  rows_ += batch.rows;
  nonzeros_ += static_cast<std::int64_t>(batch.entries.size());
}

void MatrixSpill::finish() {
  const DeclaredShape shape = source_.shape();
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
  if (options_.labels == LabelUse::keep && order_ == RowOrder::ascending) labels_.write(staging, labels_.names());
}

void MatrixSpill::count_columns(const MatrixBatch& batch) {
  std::int64_t row_entries = 0;
  std::int32_t row = -1;
  for (const MatrixEntry& entry : batch.entries) {
    const auto column = static_cast<std::size_t>(entry.feature);
    if (column >= column_counts_.size()) {
      if (columns_) {
        throw FormatError(source_.name(), fmt::format("expected {} columns, as many as terms or features were given, found "
                                                      "column {}",
                                                      *columns_, column + 1));
      }
      grow(column_counts_, entry.feature + std::int64_t{1}, "columns");
    }
    ++column_counts_[column];
    row_entries = entry.row == row ? row_entries + 1 : 1;
    row = entry.row;
    if (order_ == RowOrder::ascending && static_cast<std::uint64_t>(row_entries) * kBytesPerRowEntry > options_.memory)
      throw FormatError(source_.name(), "expected rows that fit into memory, found a longer one (--memory)");
  }
}

void MatrixSpill::count_rows(const std::vector<MatrixEntry>& entries) {
  for (const MatrixEntry& entry : entries) {
    grow(row_counts_, entry.row + std::int64_t{1}, "rows");
    std::int64_t& count = row_counts_[static_cast<std::size_t>(entry.row)];
    if (static_cast<std::uint64_t>(++count) * kBytesPerRowEntry > options_.memory)
      throw FormatError(source_.name(), "expected rows that fit into memory, found a longer one (--memory)");
  }
}

void MatrixSpill::grow(std::vector<std::int64_t>& counts, std::int64_t size, const char* what) const {
  if (size <= static_cast<std::int64_t>(counts.size())) return;
  const std::uint64_t most = options_.memory / kBytesPerLine;
  if (static_cast<std::uint64_t>(size) > most) {
    throw FormatError(source_.name(),
                      fmt::format("expected at most {} {}, for which there is memory (--memory), found {}", most, what, size));
  }
  counts.resize(static_cast<std::size_t>(size));
}

void MatrixSpill::append_labels(const MatrixBatch& batch) {
  if (options_.labels == LabelUse::drop || order_ == RowOrder::any) return;
  labels_.append(batch.labels);
  if (labels_.size() > kMostLabels) {
    throw FormatError(source_.name(), fmt::format("expected at most {} different labels, found more; are they numbers to "
                                                  "predict? (--no-labels)",
                                                  kMostLabels));
  }
}

namespace {

// A block of grouped rows is written as soon as it has so many entries. A segment has about as many.
constexpr std::size_t kBlockEntries = std::size_t{1} << 17U;
// The memory of a block that is read, sorted and written: three copies, at 24 bytes an entry.
constexpr std::uint64_t kBytesOfBlock = std::uint64_t{8} << 20U;

FeatureId feature_of(const RowPass& pass, FeatureId column) {
  return pass.feature_of_column.empty() ? column : pass.feature_of_column[static_cast<std::size_t>(column)];
}

// The number, from 1, of the column of the file that became the feature.
std::int64_t column_number(const RowPass& pass, FeatureId feature) {
  if (pass.feature_of_column.empty()) return feature + std::int64_t{1};
  return std::ranges::find(pass.feature_of_column, feature) - pass.feature_of_column.begin() + 1;
}

using SortedBlocks = std::vector<SortedBlock>;

// Cuts the rows of a segment into blocks of rows that are small enough, and sorts them.
void sort_segment(const MatrixSpill& spill, const MatrixSpill::Segment& segment, const RowPass& pass, BlockSorter& sorter,
                  SortedBlocks& blocks) {
  const std::vector<MatrixEntry> entries = spill.read(segment);
  constexpr std::int64_t most_rows = UnsortedBlock::most_rows;
  blocks.resize(static_cast<std::size_t>((segment.rows + most_rows - 1) / most_rows));
  auto entry = entries.begin();
  std::int64_t first_row = 0;
  for (SortedBlock& sorted : blocks) {
    UnsortedBlock block;
    block.rows = static_cast<std::uint32_t>(std::min(most_rows, segment.rows - first_row));
    for (; entry != entries.end() && entry->row - first_row < block.rows; ++entry) {
      block.entries.push_back(
          {feature_of(pass, entry->feature), static_cast<std::int32_t>(entry->row - first_row), entry->value});
    }
    sorter.sort(block, pass.columns, sorted);
    first_row += most_rows;
  }
  spill.release(segment);
}

void write_in_order(const MatrixSpill& spill, const RowPass& pass, MatrixWriter& writer) {
  const std::vector<MatrixSpill::Segment>& segments = spill.segments();
  const auto at_once = static_cast<std::size_t>(std::clamp<std::uint64_t>(pass.memory / kBytesOfBlock, 1, 64));
  struct Place {
    std::size_t segment = 0;
    SortedBlocks blocks;
  };
  std::vector<Place> places(at_once);
  tbb::enumerable_thread_specific<BlockSorter> sorters;
  std::size_t next = 0;
  ordered_pipeline(
      places,
      [&](Place& place) {
        if (next == segments.size()) return false;
        place.segment = next++;
        return true;
      },
      [&](Place& place) { sort_segment(spill, segments[place.segment], pass, sorters.local(), place.blocks); },
      [&](const Place& place) {
        for (const SortedBlock& block : place.blocks) {
          writer.append(block);
          pass.advance(block.features.size());
        }
      });
}

// Takes rows one after the other, and writes them a block at a time.
class BlockedRows {
 public:
  BlockedRows(std::string name, const RowPass& pass, MatrixWriter& writer)
      : name_(std::move(name)), pass_(&pass), writer_(&writer) {}

  void append_entry(FeatureId feature, float value) {
    block_.entries.push_back({feature, static_cast<std::int32_t>(block_.rows), value});
  }
  void end_row() {
    ++block_.rows;
    if (block_.rows == UnsortedBlock::most_rows || block_.entries.size() >= kBlockEntries) flush();
  }

  void flush() {
    if (block_.rows == 0) return;
    refuse_duplicates();
    std::erase_if(block_.entries, [](const GroupedEntry& entry) { return entry.value == 0.0F; });
    sorter_.sort(block_, pass_->columns, sorted_);
    writer_->append(sorted_);
    pass_->advance(block_.entries.size());
    rows_before_ += block_.rows;
    block_.rows = 0;
    block_.entries.clear();
  }

 private:
  // The sorter would refuse duplicates, too, but it cannot name the file and its column.
  void refuse_duplicates() {
    seen_in_.resize(static_cast<std::size_t>(pass_->columns), -1);
    for (const GroupedEntry& entry : block_.entries) {
      std::int64_t& seen_in = seen_in_[static_cast<std::size_t>(entry.key)];
      const std::int64_t row = rows_before_ + entry.member;
      if (seen_in == row) {
        throw FormatError(name_, fmt::format("expected each place once, found row {}, column {} twice (from 1)", row + 1,
                                             column_number(*pass_, entry.key)));
      }
      seen_in = row;
    }
  }

  std::string name_;
  const RowPass* pass_;
  MatrixWriter* writer_;
  UnsortedBlock block_;
  BlockSorter sorter_;
  SortedBlock sorted_;
  std::vector<std::int64_t> seen_in_;  // by feature: the last row that had it
  std::int64_t rows_before_ = 0;
};

void write_grouped(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass, MatrixWriter& writer) {
  GroupedEntries grouped(staging, spill.row_counts(), pass.memory);
  std::vector<GroupedEntry> entries;
  for (const MatrixSpill::Segment& segment : spill.segments()) {
    entries.clear();
    for (const MatrixEntry& entry : spill.read(segment))
      entries.push_back({.key = entry.row, .member = feature_of(pass, entry.feature), .value = entry.value});
    grouped.append(entries);
    spill.release(segment);
  }

  BlockedRows rows(spill.source().name(), pass, writer);
  const std::vector<std::int64_t>& counts = spill.row_counts();
  std::int64_t of_row = 0;  // entries so far of the current row, which may come in pieces
  grouped.take([&](const EntryGroups& groups) {
    std::size_t at = 0;
    auto row = static_cast<std::size_t>(groups.first_key);
    for (const std::int64_t size : groups.sizes) {
      for (const std::size_t end = at + static_cast<std::size_t>(size); at < end; ++at)
        rows.append_entry(groups.members[at], groups.values[at]);
      of_row += size;
      if (of_row == counts[row]) {
        rows.end_row();
        of_row = 0;
      }
      ++row;
    }
  });
  rows.flush();
}

}  // namespace

void write_rows(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass, MatrixWriter& writer) {
  if (spill.source().order() == RowOrder::ascending)
    write_in_order(spill, pass, writer);
  else
    write_grouped(spill, staging, pass, writer);
}

}  // namespace inkling
