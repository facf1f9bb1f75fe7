#include "io/build/counting_pass.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/build/term_counts.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/write/matrix_writer.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostDocuments = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kSegmentEntries = std::uint64_t{1} << 17U;

// A chunk on its way through the pipeline, with all that is made of it.
struct ChunkInFlight {
  Chunk chunk;
  ChunkOutcome outcome;
  CountedChunk counted;
  std::uint64_t text_bytes = 0;
};

class CountingPass {
 public:
  CountingPass(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts, TermTable& terms)
      : source_(source),
        texts_(texts),
        counters_([&terms, &recipe] { return DocumentCounter(terms, recipe); }) {}

  // Parallel.
  void count(ChunkInFlight& work) {
    DocumentCounter& counter = counters_.local();
    CountedChunk& counted = work.counted;
    counted.counts.clear();
    counted.segments.assign(1, {});
    counted.ids.clear();
    counted.labels.clear();
    counted.texts.clear();
    work.text_bytes = 0;
    work.outcome = source_.parse(work.chunk, [&](const SourceDocument& document) {
      const std::span<const TermCount> counts = counter.count(document.text);
      append(counted, counts);
      counted.ids.append(document.id);
      counted.labels.append(document.label);
      if (texts_ == TextKeeping::keep) counted.texts.append(document.text);
      work.text_bytes += document.text.size();
    });
  }

  // Serial, in order.
  void finish(const ChunkInFlight& work, const std::function<void(const CountedChunk&)>& receive) {
    if (origin_ != work.chunk.origin) {
      origin_ = work.chunk.origin;
      lines_ = 0;
    }
    const ChunkOutcome& outcome = work.outcome;
    if (outcome.problem)
      throw FormatError(place_of(work.chunk, *outcome.problem, lines_), outcome.problem->expectation);
    lines_ += outcome.lines;
    totals_.skipped += outcome.skipped;
    totals_.bad_bytes += outcome.bad_bytes;
    totals_.text_bytes += work.text_bytes;
    totals_.documents += static_cast<std::int64_t>(work.counted.ids.size());
    for (const CountedSegment& segment : work.counted.segments)
      totals_.entries += static_cast<std::int64_t>(segment.entries);
    if (totals_.documents > kMostDocuments)
      throw FormatError(*origin_, fmt::format("expected at most {} documents in all", kMostDocuments));
    receive(work.counted);
  }

  [[nodiscard]] const CorpusTotals& totals() const { return totals_; }

  void flush() {
    for (DocumentCounter& counter : counters_) counter.flush();
  }

 private:
  static void append(CountedChunk& counted, std::span<const TermCount> counts) {
    const CountedSegment& last = counted.segments.back();
    if (last.documents == UnsortedBlock::most_rows || last.entries + counts.size() > kSegmentEntries)
      counted.segments.emplace_back();
    CountedSegment& segment = counted.segments.back();
    const std::size_t before = counted.counts.bytes().size();
    counted.counts.append(counts);
    segment.bytes += counted.counts.bytes().size() - before;
    segment.documents += 1;
    segment.entries += counts.size();
  }

  DocumentSource& source_;
  TextKeeping texts_;
  tbb::enumerable_thread_specific<DocumentCounter> counters_;
  std::shared_ptr<const std::string> origin_;
  std::int64_t lines_ = 0;
  CorpusTotals totals_;
};

void check_term_memory(const TermTable& terms, std::uint64_t most, const CorpusTotals& totals) {
  if (terms.memory() <= most) return;
  throw FormatError("--memory",
                    fmt::format("the {} different terms of the first {} documents need more than the {} "
                                "MiB that it leaves them; allow more, or choose a token rule that makes "
                                "fewer terms",
                                terms.size(), totals.documents, most >> 20U));
}

constexpr std::int32_t kNoLabel = -1;
constexpr std::size_t kCodesAtOnce = std::size_t{1} << 14U;

}  // namespace

CorpusTotals count_corpus(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts,
                          std::uint64_t most_term_bytes, TermTable& terms,
                          const std::function<void(const CountedChunk&)>& receive,
                          const std::function<void(const CorpusTotals&)>& progress) {
  CountingPass pass(source, recipe, texts, terms);
  std::vector<ChunkInFlight> chunks(static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()) + 2);
  ordered_pipeline(
      chunks, [&](ChunkInFlight& work) { return source.read(work.chunk); },
      [&](ChunkInFlight& work) { pass.count(work); },
      [&](const ChunkInFlight& work) {
        pass.finish(work, receive);
        check_term_memory(terms, most_term_bytes, pass.totals());
        progress(pass.totals());
      });
  pass.flush();
  return pass.totals();
}

void OptionalStrings::append(const StringBatch& batch) {
  if (!strings_ && !batch.blank()) {
    strings_.emplace(staging_, name_);
    for (std::int64_t row = 0; row < rows_; ++row) strings_->append("");
  }
  rows_ += static_cast<std::int64_t>(batch.size());
  if (!strings_) return;
  for (std::size_t n = 0; n < batch.size(); ++n) strings_->append(batch[n]);
}

void OptionalStrings::close() {
  if (strings_) strings_->close();
}

void LabelColumn::append(const StringBatch& batch) {
  std::vector<std::int32_t> codes(batch.size(), kNoLabel);
  for (std::size_t n = 0; n < batch.size(); ++n) {
    if (batch[n].empty()) continue;
    auto found = code_of_.find(batch[n]);
    if (found == code_of_.end())
      found = code_of_.emplace(batch[n], static_cast<std::int32_t>(code_of_.size())).first;
    codes[n] = found->second;
  }
  codes_.append(std::as_bytes(std::span(codes)));
}

void LabelColumn::write(PoolStaging& staging) const {
  if (code_of_.empty()) return;
  StagedLines names(staging, std::string(PoolFile::label_names));
  std::vector<std::int32_t> final_code(code_of_.size());
  std::int32_t next = 0;
  for (const auto& [name, code] : code_of_) {
    final_code[static_cast<std::size_t>(code)] = next++;
    names.append(name);
  }
  names.close();

  StagedArray<std::int32_t> labels(staging, std::string(PoolFile::labels));
  std::vector<std::int32_t> codes(kCodesAtOnce);
  const std::uint64_t rows = codes_.size() / sizeof(std::int32_t);
  for (std::uint64_t row = 0; row < rows; row += codes.size()) {
    codes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kCodesAtOnce, rows - row)));
    codes_.read(row * sizeof(std::int32_t), std::as_writable_bytes(std::span(codes)));
    for (std::int32_t& code : codes)
      if (code != kNoLabel) code = final_code[static_cast<std::size_t>(code)];
    labels.append(codes);
  }
  labels.close();
}

StagedDocuments::StagedDocuments(PoolStaging& staging)
    : staging_(staging),
      counts_(staging),
      ids_(staging, PoolFile::ids),
      texts_(staging, PoolFile::texts),
      labels_(staging) {}

void StagedDocuments::append(const CountedChunk& chunk) {
  counts_.append(chunk.counts.bytes());
  for (const CountedSegment& segment : chunk.segments)
    if (segment.documents > 0) segments_.push_back(segment);
  ids_.append(chunk.ids);
  labels_.append(chunk.labels);
  texts_.append(chunk.texts);
}

void StagedDocuments::close() {
  ids_.close();
  texts_.close();
  labels_.write(staging_);
}

}  // namespace inkling
