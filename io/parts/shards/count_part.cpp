#include "io/parts/shards/count_part.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tbb/task_arena.h>

#include "io/corpus/from_text/document_counter.hpp"
#include "io/corpus/from_text/weighting_pass.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/terms/term_table.hpp"
#include "io/parts/shards/counts_folder.hpp"
#include "io/parts/shards/part_rows.hpp"

namespace inkling {
namespace {

// What the documents of a part have besides terms.
struct PartColumns {
  bool has_ids = false;
  bool has_texts = false;
  bool has_fields = false;
  std::set<std::string, std::less<>> labels;

  void add(const CountedChunk& chunk) {
    has_ids = has_ids || !chunk.strings.ids.blank();
    has_texts = has_texts || !chunk.strings.texts.blank();
    has_fields = has_fields || !chunk.strings.fields.blank();
    const StringBatch& some = chunk.strings.labels;
    for (std::size_t n = 0; n < some.size(); ++n)
      if (!some[n].empty() && !labels.contains(some[n])) labels.emplace(some[n]);
  }
};

// The requested fields that some record has.
std::vector<std::string> fields_seen(const SourceOptions& source, const SeenNames& seen) {
  std::set<std::string> fields;
  const auto look_for = [&](const std::string& field) {
    if (seen.has_field(field)) fields.insert(field);
  };
  look_for(source.text_field);
  look_for(source.id_field);
  look_for(source.label_field);
  for (const std::string& field : fields_listed_in(source.text_field)) look_for(field);
  return {fields.begin(), fields.end()};
}

std::vector<std::string> labels_asked_for_and_seen(const SourceOptions& source, const SeenNames& seen) {
  std::set<std::string> labels;
  for (std::size_t n = 0; n < source.labels.size(); ++n)
    if (seen.has_label(n)) labels.insert(source.labels[n]);
  return {labels.begin(), labels.end()};
}

}  // namespace

CountsManifest count_part(const BuildPlan& plan, std::int64_t part, PartRowKeeping rows, const SourceOptions& process,
                          std::uint64_t memory, PoolStaging& staging, const BuildProgress& progress) {
  using Occurrences = CountsWriter::Occurrences;
  SourceOptions seeing = process;
  seeing.seen = std::make_shared<SeenNames>(plan.source.labels.size());
  PartSource source(plan, part, seeing);
  TermTable terms(plan.recipe.stop_words);
  const bool counts_occurrences = plan.recipe.max_features.has_value();
  std::vector<std::uint64_t> occurrences;
  PartColumns columns;
  std::optional<RowsWriter> kept;
  if (rows == PartRowKeeping::keep) kept.emplace(staging, plan.texts);
  CountsManifest counts;
  counts.totals = count_corpus(
      source, plan.recipe, plan.texts, counts_occurrences || kept ? CountKeeping::keep : CountKeeping::drop,
      memory_for_terms(memory, tbb::this_task_arena::max_concurrency()), terms,
      [&](const CountedChunk& chunk) {
        columns.add(chunk);
        if (kept) kept->append(chunk);
        if (counts_occurrences) add_occurrences(chunk.counts.bytes(), chunk.segments, occurrences);
      },
      [&](const CorpusTotals& totals) {
        progress(BuildPhase::read, source.bytes_read(), source.total_bytes(), totals.documents);
      });
  occurrences.resize(terms.document_frequency().size());

  CountsWriter writer(staging, counts_occurrences ? Occurrences::are_counted : Occurrences::are_not);
  const std::vector<TermTable::Term> sorted = terms.sorted();
  for (const TermTable::Term& term : sorted)
    writer.append(term.text, terms.document_frequency()[term.id], static_cast<std::int64_t>(occurrences[term.id]));
  counts.program_version = plan.program_version;
  counts.plan = plan.checksum;
  counts.recipe = recipe_json(plan.recipe);
  counts.all_parts = std::ssize(plan.parts);
  counts.terms = terms.size();
  counts.has_ids = columns.has_ids;
  counts.has_texts = columns.has_texts;
  counts.has_fields = columns.has_fields;
  counts.fields = fields_seen(plan.source, *seeing.seen);
  counts.labels_seen = labels_asked_for_and_seen(plan.source, *seeing.seen);
  for (FileOfRecords& file : counts.totals.sources) file.name = plan.name_as_given(file.name);
  counts.parts = {{.part = part,
                   .documents = counts.totals.documents,
                   .text = source.checksum(),
                   .records = records_json(counts.totals.sources)}};
  if (kept) {
    kept->close(sorted, {.program_version = counts.program_version,
                         .plan = counts.plan,
                         .part = counts.parts.front(),
                         .entries = counts.totals.entries});
  }
  writer.publish({columns.labels.begin(), columns.labels.end()}, counts);
  return counts;
}

bool are_counts_of(const CountsManifest& counts, const BuildPlan& plan, std::int64_t part) {
  return counts.plan == plan.checksum && counts.program_version == plan.program_version && counts.parts.size() == 1 &&
         counts.parts.front().part == part;
}

}  // namespace inkling
