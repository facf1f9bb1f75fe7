#include "io/build/text_plan.hpp"

#include <cstddef>

#include <tbb/task_arena.h>

#include "io/build/document_counter.hpp"
#include "io/build/feature_selection.hpp"
#include "io/build/term_counts.hpp"
#include "io/build/term_table.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t array_header_bytes = 128;

// What the chunks would have left on disk.
struct DiskUse {
  std::uint64_t counts = 0;
  std::uint64_t id_bytes = 0;
  std::uint64_t text_bytes = 0;
  bool labelled = false;

  void add(const CountedChunk& chunk) {
    counts += chunk.counts.bytes().size();
    id_bytes += chunk.ids.bytes();
    text_bytes += chunk.texts.bytes();
    labelled = labelled || !chunk.labels.blank();
  }
};

void add_occurrences(const CountedChunk& chunk, std::vector<std::uint64_t>& occurrences) {
  const std::span<const std::byte> written = chunk.counts.bytes();
  std::vector<std::byte> bytes(written.begin(), written.end());
  bytes.resize(bytes.size() + TermCountsReader::padding);
  TermCountsReader reader(bytes);
  for (const CountedSegment& segment : chunk.segments) {
    for (std::uint32_t n = 0; n < segment.documents; ++n) {
      for (const TermCount& count : reader.next()) {
        if (occurrences.size() <= count.term) occurrences.resize(std::size_t{count.term} * 2 + 1);
        occurrences[count.term] += count.count;
      }
    }
  }
}

std::uint64_t strings_bytes(std::uint64_t bytes, std::uint64_t rows) {
  return bytes == 0 ? 0 : bytes + 8 * (rows + 1) + 2 * array_header_bytes;
}

std::uint64_t pool_bytes_of(const TextPlan& plan, const DiskUse& disk) {
  const auto rows = static_cast<std::uint64_t>(plan.summary.corpus.documents);
  const auto features = static_cast<std::uint64_t>(plan.summary.features);
  const auto nonzeros = static_cast<std::uint64_t>(plan.summary.nonzeros);
  std::uint64_t bytes = 8 * array_header_bytes + 16 * nonzeros + 8 * (rows + features + 2) + 12 * features;
  for (const std::string& term : plan.terms) bytes += term.size() + 1;
  if (disk.labelled) bytes += array_header_bytes + 4 * rows;
  return bytes + strings_bytes(disk.id_bytes, rows) + strings_bytes(disk.text_bytes, rows);
}

}  // namespace

TextPlan plan_text_pool(DocumentSource& source, const TextBuildOptions& options,
                        const BuildListener& listener) {
  const BuildMemory memory = build_memory(options.memory, tbb::this_task_arena::max_concurrency());
  const bool limited = options.recipe.max_features.has_value();
  DiskUse disk;
  std::vector<std::uint64_t> occurrences;
  TermTable terms(DocumentCounter::ignored_terms(options.recipe));
  const CorpusTotals totals = count_corpus(source, options.recipe, options.texts, memory.terms, terms,
                                           [&](const CountedChunk& chunk) {
                                             disk.add(chunk);
                                             if (limited) add_occurrences(chunk, occurrences);
                                           },
                                           {.progress = [&](const CorpusTotals& so_far) {
                                             listener.progress(BuildPhase::read, source.bytes_read(),
                                                               source.total_bytes(), so_far.documents);
                                           }});
  const FeatureSelection selection =
      select_features(terms.sorted(), terms.document_frequency(), totals.documents, options.recipe, [&] {
        occurrences.resize(terms.document_frequency().size());
        return occurrences;
      });
  TextPlan plan;
  plan.summary = summary_of(totals, terms.size(), selection);
  plan.terms.assign(selection.terms.begin(), selection.terms.end());
  plan.document_frequency = selection.document_frequency;
  plan.pool_bytes = pool_bytes_of(plan, disk);
  plan.scratch_bytes = disk.counts + 8 * static_cast<std::uint64_t>(plan.summary.nonzeros);
  return plan;
}

}  // namespace inkling
