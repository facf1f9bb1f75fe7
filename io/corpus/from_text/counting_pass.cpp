#include "io/corpus/from_text/counting_pass.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "engine/core/ordered_pipeline.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/from_text/document_counter.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/source/record_parser.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kMostDocuments = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kSegmentEntries = std::uint64_t{1} << 15U;

// A chunk on its way through the pipeline, with all that is made of it.
struct ChunkInFlight {
  Chunk chunk;
  ChunkOutcome outcome;
  CountedChunk counted;
  std::uint64_t text_bytes = 0;
};

void append_counts(CountedChunk& counted, std::span<const TermCount> counts, CountKeeping keeping) {
  const CountedSegment& last = counted.segments.back();
  if (last.documents == CountedSegment::most_documents || last.entries + counts.size() > kSegmentEntries)
    counted.segments.emplace_back();
  CountedSegment& segment = counted.segments.back();
  const std::size_t before = counted.counts.bytes().size();
  if (keeping == CountKeeping::keep) counted.counts.append(counts);
  segment.bytes += counted.counts.bytes().size() - before;
  segment.documents += 1;
  segment.entries += counts.size();
}

void count_chunk(const DocumentSource& source, TextKeeping texts, CountKeeping counts, DocumentCounter& counter,
                 ChunkInFlight& work) {
  CountedChunk& counted = work.counted;
  counted.counts.clear();
  counted.segments.assign(1, {});
  counted.strings.clear();
  work.text_bytes = 0;
  work.outcome = source.parse(work.chunk, [&](const SourceDocument& document) {
    append_counts(counted, counter.count(document.text, document.title_bytes), counts);
    counted.strings.append(document, texts);
    work.text_bytes += document.text.size();
  });
}

void add_chunk(CorpusTotals& totals, const ChunkInFlight& work) {
  totals.skipped += work.outcome.skipped;
  totals.bad_bytes += work.outcome.bad_bytes;
  totals.text_bytes += work.text_bytes;
  const auto documents = static_cast<std::int64_t>(work.counted.strings.ids.size());
  totals.documents += documents;
  add_records(totals.sources, {.name = *work.chunk.origin,
                               .format = std::string(work.chunk.format),
                               .documents = documents,
                               .left_out = work.outcome.skipped,
                               .why = why_left_out(work.outcome)});
  for (const CountedSegment& segment : work.counted.segments) totals.entries += static_cast<std::int64_t>(segment.entries);
  if (totals.documents > kMostDocuments)
    throw FormatError(*work.chunk.origin, fmt::format("expected at most {} documents in all", kMostDocuments));
}

void check_term_memory(const TermTable& terms, std::uint64_t most, const CorpusTotals& totals) {
  if (terms.memory() <= most) return;
  throw FormatError("--memory", fmt::format("the {} different terms of the first {} documents need more than the {} "
                                            "MiB that it leaves them; allow more, or choose a token rule that makes "
                                            "fewer terms",
                                            terms.size(), totals.documents, most >> 20U));
}

// While each thread counts a chunk, another chunk is read and another one is handed on. A single thread works on one chunk at a
// time, whose memory stays in its cache.
std::size_t places_of_pipeline() {
  const int threads = tbb::this_task_arena::max_concurrency();
  return threads == 1 ? 1 : static_cast<std::size_t>(threads) + 2;
}

}  // namespace

CorpusTotals count_corpus(DocumentSource& source, const TextRecipe& recipe, TextKeeping texts, CountKeeping counts,
                          std::uint64_t most_term_bytes, TermTable& terms,
                          const std::function<void(const CountedChunk&)>& receive,
                          const std::function<void(const CorpusTotals&)>& progress) {
  tbb::enumerable_thread_specific<DocumentCounter> counters([&terms, &recipe] { return DocumentCounter(terms, recipe); });
  std::vector<ChunkInFlight> chunks(places_of_pipeline());
  OutcomeCheck outcomes;
  CorpusTotals totals = {.links_left_out = source.links_left_out()};
  ordered_pipeline(
      chunks, [&](ChunkInFlight& work) { return source.read(work.chunk); },
      [&](ChunkInFlight& work) { count_chunk(source, texts, counts, counters.local(), work); },
      [&](const ChunkInFlight& work) {
        outcomes.take(work.chunk.origin, work.outcome);
        add_chunk(totals, work);
        receive(work.counted);
        check_term_memory(terms, most_term_bytes - std::min(most_term_bytes, source.unpacking_memory()), totals);
        progress(totals);
      });
  for (DocumentCounter& counter : counters) counter.flush();
  terms.add_documents_of_runs();
  totals.remarks = outcomes.take_remarks();
  return totals;
}

void read_documents(DocumentSource& source, TextKeeping texts, const std::function<void(const DocumentStrings&)>& receive,
                    const std::function<void()>& progress) {
  struct Work {
    Chunk chunk;
    ChunkOutcome outcome;
    DocumentStrings strings;
  };
  std::vector<Work> chunks(places_of_pipeline());
  OutcomeCheck outcomes;
  ordered_pipeline(
      chunks, [&](Work& work) { return source.read(work.chunk); },
      [&](Work& work) {
        work.strings.clear();
        work.outcome = source.parse(work.chunk, [&](const SourceDocument& document) { work.strings.append(document, texts); });
      },
      [&](const Work& work) {
        outcomes.take(work.chunk.origin, work.outcome);
        receive(work.strings);
        progress();
      });
}

}  // namespace inkling
