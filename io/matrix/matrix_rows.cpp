#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/matrix/matrix_spill.hpp"
#include "io/pool/write/grouped_entries.hpp"
#include "io/pool/write/sorted_block.hpp"

namespace inkling {
namespace {

// Entries of a block that is formed from rows of any size; those of a segment are about as many.
constexpr std::size_t kBlockEntries = std::size_t{1} << 17U;
// A block that is being read, sorted and written, three times over, at 24 bytes an entry.
constexpr std::uint64_t kBytesOfBlock = std::uint64_t{8} << 20U;

FeatureId feature_of(const RowPass& pass, FeatureId column) {
  return pass.feature_of_column.empty() ? column : pass.feature_of_column[static_cast<std::size_t>(column)];
}

// The column that became the feature, as its file counts, from 1.
std::int64_t column_number(const RowPass& pass, FeatureId feature) {
  if (pass.feature_of_column.empty()) return feature + std::int64_t{1};
  return std::ranges::find(pass.feature_of_column, feature) - pass.feature_of_column.begin() + 1;
}

using SortedBlocks = std::vector<SortedBlock>;

// Cuts the rows of a segment into blocks of rows that are small enough, and sorts them.
void sort_segment(const MatrixSpill& spill, const MatrixSpill::Segment& segment, const RowPass& pass,
                  BlockSorter& sorter, SortedBlocks& blocks) {
  const std::vector<MatrixEntry> entries = spill.read(segment);
  constexpr std::int64_t most_rows = UnsortedBlock::most_rows;
  blocks.resize(static_cast<std::size_t>((segment.rows + most_rows - 1) / most_rows));
  auto entry = entries.begin();
  std::int64_t first_row = 0;
  for (SortedBlock& sorted : blocks) {
    UnsortedBlock block;
    block.rows = static_cast<std::uint32_t>(std::min(most_rows, segment.rows - first_row));
    for (; entry != entries.end() && entry->row - first_row < block.rows; ++entry) {
      block.entries.push_back({feature_of(pass, entry->feature),
                               static_cast<std::uint32_t>(entry->row - first_row), entry->value});
    }
    sorter.sort(block, pass.columns, sorted);
    first_row += most_rows;
  }
  spill.release(segment);
}

void write_in_order(const MatrixSpill& spill, const RowPass& pass, MatrixWriter& writer) {
  const std::vector<MatrixSpill::Segment>& segments = spill.segments();
  const auto at_once =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(pass.memory / kBytesOfBlock, 1, 64));
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
      [&](Place& place) {
        sort_segment(spill, segments[place.segment], pass, sorters.local(), place.blocks);
      },
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
  BlockedRows(const std::string& name, const RowPass& pass, MatrixWriter& writer)
      : name_(&name), pass_(&pass), writer_(&writer) {}

  void append_entry(FeatureId feature, float value) {
    block_.entries.push_back({feature, block_.rows, value});
  }
  void end_row() {
    ++block_.rows;
    if (block_.rows == UnsortedBlock::most_rows || block_.entries.size() >= kBlockEntries) flush();
  }

  void flush() {
    if (block_.rows == 0) return;
    refuse_duplicates();
    sorter_.sort(block_, pass_->columns, sorted_);
    writer_->append(sorted_);
    pass_->advance(block_.entries.size());
    rows_before_ += block_.rows;
    block_.rows = 0;
    block_.entries.clear();
  }

 private:
  // The sorter would refuse them too, but it knows neither the file nor its columns.
  void refuse_duplicates() {
    seen_in_.resize(static_cast<std::size_t>(pass_->columns), -1);
    for (const BlockEntry& entry : block_.entries) {
      std::int64_t& seen_in = seen_in_[static_cast<std::size_t>(entry.feature)];
      const std::int64_t row = rows_before_ + entry.row;
      if (seen_in == row) {
        throw FormatError(
            *name_, fmt::format("expected each place once, found row {}, column {} twice (from 1)", row + 1,
                                column_number(*pass_, entry.feature)));
      }
      seen_in = row;
    }
  }

  const std::string* name_;
  const RowPass* pass_;
  MatrixWriter* writer_;
  UnsortedBlock block_;
  BlockSorter sorter_;
  SortedBlock sorted_;
  std::vector<std::int64_t> seen_in_;  // the row that each feature was in last
  std::int64_t rows_before_ = 0;
};

void write_grouped(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass,
                   MatrixWriter& writer) {
  GroupedEntries grouped(staging, spill.row_counts(), pass.memory);
  std::vector<GroupedEntry> entries;
  for (const MatrixSpill::Segment& segment : spill.segments()) {
    entries.clear();
    for (const MatrixEntry& entry : spill.read(segment))
      entries.push_back({.key = entry.row, .member = feature_of(pass, entry.feature), .value = entry.value});
    grouped.append(entries);
    spill.release(segment);
  }

  BlockedRows rows(spill.name(), pass, writer);
  const std::vector<std::int64_t>& counts = spill.row_counts();
  std::int64_t of_row = 0;  // of the row that is being formed, which may come in pieces
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

void write_rows(const MatrixSpill& spill, const PoolStaging& staging, const RowPass& pass,
                MatrixWriter& writer) {
  if (spill.order() == RowOrder::ascending)
    write_in_order(spill, pass, writer);
  else
    write_grouped(spill, staging, pass, writer);
}

}  // namespace inkling
