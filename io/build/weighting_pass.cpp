#include "io/build/weighting_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMostBlockEntries = std::uint64_t{1} << 17U;
constexpr std::uint64_t kLeastBlockEntries = std::uint64_t{1} << 14U;
constexpr std::uint64_t kBytesPerWeighedEntry = 64;  // counts, entries, both sorted forms and the sorter

// Segments that become one block of rows.
struct WeighedBlock {
  std::vector<std::byte> counts;
  std::span<const CountedSegment> segments;
  std::uint64_t entries = 0;
  UnsortedBlock block;
  BlockSorter sorter;
  SortedBlock sorted;
};

// Cuts the segments into blocks and reads their counts.
class BlockReader {
 public:
  BlockReader(const ScratchFile& counts, std::span<const CountedSegment> segments, std::uint64_t entries)
      : counts_(counts), left_(segments), most_entries_(entries) {}

  [[nodiscard]] bool read(WeighedBlock& work) {
    if (left_.empty()) return false;
    std::size_t taken = 0;
    std::uint64_t bytes = 0;
    std::uint64_t documents = 0;
    work.entries = 0;
    for (const CountedSegment& segment : left_) {
      const bool fits = work.entries + segment.entries <= most_entries_ &&
                        documents + segment.documents <= UnsortedBlock::most_rows;
      if (taken > 0 && !fits) break;
      ++taken;
      bytes += segment.bytes;
      documents += segment.documents;
      work.entries += segment.entries;
    }
    work.segments = left_.first(taken);
    work.counts.resize(static_cast<std::size_t>(bytes) + TermCountsReader::padding);
    counts_.read(position_, std::span(work.counts).first(static_cast<std::size_t>(bytes)));
    position_ += bytes;
    left_ = left_.subspan(taken);
    return true;
  }

 private:
  const ScratchFile& counts_;
  std::span<const CountedSegment> left_;
  std::uint64_t most_entries_;
  std::uint64_t position_ = 0;
};

void weigh(WeighedBlock& work, DocumentWeights& weights) {
  work.block.rows = 0;
  work.block.entries.clear();
  work.block.entries.reserve(static_cast<std::size_t>(work.entries));
  TermCountsReader reader(work.counts);
  for (const CountedSegment& segment : work.segments) {
    for (std::uint32_t n = 0; n < segment.documents; ++n)
      weights.append(reader.next(), work.block.rows++, work.block.entries);
  }
}

double norm_of(RowNorm kind, std::span<const double> values) {
  double sum = 0.0;
  if (kind == RowNorm::l1) {
    for (const double value : values) sum += std::abs(value);
    return sum;
  }
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

void DocumentWeights::append(std::span<const TermCount> counts, std::uint32_t row,
                             std::vector<BlockEntry>& entries) {
  if (counts.size() > values_.size()) {
    values_.resize(2 * counts.size());
    features_.resize(values_.size());
  }
  std::size_t size = 0;
  for (const TermCount& count : counts) {
    const WeightedTerm& term = terms_[count.term];
    features_[size] = term.feature;
    values_[size] = term_weight(weight_, count.count) * term.idf;
    size += term.feature != FeatureSelection::none ? 1 : 0;
  }
  const double norm = norm_ == RowNorm::none ? 1.0 : norm_of(norm_, std::span(values_).first(size));
  const std::size_t before = entries.size();
  entries.resize(before + size);
  for (std::size_t n = 0; n < size; ++n)
    entries[before + n] = {features_[n], row, static_cast<float>(values_[n] / norm)};
}

void weigh_corpus(const ScratchFile& counts, std::span<const CountedSegment> segments,
                  const TextRecipe& recipe, std::span<const WeightedTerm> terms, std::int32_t features,
                  std::uint64_t memory, MatrixWriter& matrix,
                  const std::function<void(std::int64_t entries)>& progress) {
  const auto in_flight = static_cast<std::uint64_t>(tbb::this_task_arena::max_concurrency()) + 1;
  BlockReader reader(
      counts, segments,
      std::clamp(memory / in_flight / kBytesPerWeighedEntry, kLeastBlockEntries, kMostBlockEntries));
  std::vector<WeighedBlock> blocks(static_cast<std::size_t>(in_flight));
  ordered_pipeline(
      blocks, [&](WeighedBlock& work) { return reader.read(work); },
      [&](WeighedBlock& work) {
        DocumentWeights weights(recipe, terms);
        weigh(work, weights);
        work.sorter.sort(work.block, features, work.sorted);
      },
      [&](const WeighedBlock& work) {
        matrix.append(work.sorted);
        progress(static_cast<std::int64_t>(work.entries));
      });
}

std::vector<std::uint64_t> count_occurrences(const ScratchFile& counts,
                                             std::span<const CountedSegment> segments, std::size_t terms) {
  std::vector<std::uint64_t> occurrences(terms);
  BlockReader reader(counts, segments, kMostBlockEntries);
  WeighedBlock work;
  while (reader.read(work)) {
    TermCountsReader documents(work.counts);
    for (const CountedSegment& segment : work.segments)
      for (std::uint32_t n = 0; n < segment.documents; ++n)
        for (const TermCount& count : documents.next()) occurrences[count.term] += count.count;
  }
  return occurrences;
}

}  // namespace inkling
