#include "io/corpus/from_text/text_builder.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/large_memory.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/from_text/document_counter.hpp"
#include "io/corpus/from_text/text_matrix_writer.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/source/record_parser.hpp"
#include "io/corpus/terms/term_table.hpp"
#include "io/corpus/text/word_breaks.hpp"
#include "io/corpus/vectors/vector_writer.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMebibyteOfBuild = std::uint64_t{1} << 20U;
constexpr std::uint64_t kProcessMemory = 32 * kMebibyteOfBuild;            // the program and its libraries
constexpr std::uint64_t kCountingMemoryPerThread = 32 * kMebibyteOfBuild;  // own terms, chunks on their way

DocumentColumns::Certain certain_columns(const TextBuildOptions& options) {
  if (!options.shard) return {};
  return {.ids = options.shard->has_ids, .texts = options.shard->has_texts, .fields = options.shard->has_fields};
}

// What the first pass leaves on disk.
struct StagedDocuments {
  StagedDocuments(PoolStaging& staging, const TextBuildOptions& options, std::uint64_t kept)
      : counts(staging, kept), columns(staging, certain_columns(options)) {}

  void append(const CountedChunk& chunk) {
    counts.append(chunk.counts.bytes());
    for (const CountedSegment& segment : chunk.segments)
      if (segment.documents > 0) segments.push_back(segment);
    columns.append(chunk.strings);
  }

  ScratchFile counts;  // of all documents, cut into the segments, which lie one after the other
  std::vector<CountedSegment> segments;
  DocumentColumns columns;
};

// What the first pass knows and the second one needs.
struct SelectedCorpus {
  LargeVector<FeatureId> feature_of_term;
  std::vector<std::int64_t> feature_counts;
  std::vector<double> idf;  // by feature
  TextRecipe recipe;        // made for the corpus
};

// The recipe for the corpus. If idf is given with the features, the recipe of the options is for the corpus already.
TextRecipe recipe_of_build(const TextBuildOptions& options, std::int64_t documents) {
  const bool knows_corpus = options.given && !options.given->idf.empty();
  return knows_corpus ? options.recipe : recipe_for_corpus(options.recipe, documents);
}

std::vector<double> idf_of(const FeatureSelection& selection, std::int64_t documents, const TextBuildOptions& options) {
  if (options.given && !options.given->idf.empty()) return {options.given->idf.begin(), options.given->idf.end()};
  std::vector<double> idf;
  idf.reserve(selection.document_frequency.size());
  for (const std::int32_t count : selection.document_frequency)
    idf.push_back(inverse_document_frequency(options.recipe.idf, documents, count));
  return idf;
}

SelectedCorpus write_selected_features(PoolStaging& staging, FeatureSelection& selection, std::int64_t documents,
                                       const TextBuildOptions& options) {
  std::vector<double> idf = idf_of(selection, documents, options);
  StagedLines vocabulary(staging, std::string(PoolFile::vocabulary));
  for (const std::string_view term : selection.terms) vocabulary.append(term);
  vocabulary.close();

  StagedArray<std::int32_t> frequencies(staging, std::string(PoolFile::document_frequency));
  frequencies.append(selection.document_frequency);
  frequencies.close();

  SelectedCorpus selected;
  selected.feature_counts.assign(selection.document_frequency.begin(), selection.document_frequency.end());
  StagedArray<double> idf_file(staging, std::string(PoolFile::idf));
  idf_file.append(idf);
  idf_file.close();

  selected.feature_of_term = std::move(selection.feature_of_term);
  selected.idf = std::move(idf);
  selected.recipe = recipe_of_build(options, documents);
  return selected;
}

LargeVector<WeightedTerm> weighted_terms(const SelectedCorpus& selected, const WaitingColumns& columns) {
  const std::vector<ColumnPlace> places = columns.places();
  LargeVector<WeightedTerm> terms;
  terms.reserve(selected.feature_of_term.size());
  for (const FeatureId feature : selected.feature_of_term) {
    const auto at = static_cast<std::size_t>(feature);
    if (feature == FeatureSelection::none)
      terms.emplace_back();
    else if (feature == FeatureSelection::in_length)
      terms.push_back({.idf = selected.recipe.idf_of_other_runs});
    else
      terms.push_back({.feature = feature, .column = places[at], .idf = selected.idf[at]});
  }
  return terms;
}

// How the pool came about, for its manifest.
std::string manifest_recipe(const TextBuildOptions& options, const TextRecipe& recipe, const TextBuildSummary& summary) {
  JsonWriter json;
  begin_manifest_recipe(json, options.origin);
  json.member("text_bytes", summary.corpus.text_bytes);
  json.member("skipped_records", summary.corpus.skipped).member("bad_bytes", summary.corpus.bad_bytes);
  if (!options.same_by.any())
    json.member("equal_texts", kKeptApart);
  else if (options.same_by != SameBy())
    json.member("same_by", same_by_text(options.same_by));
  json.member("terms", summary.terms);
  json.key("dropped").begin_object();
  json.member("too_rare", summary.dropped.too_rare).member("too_frequent", summary.dropped.too_frequent);
  if (recipe.longest_ngram > 1) json.member("too_rare_runs", summary.dropped.too_rare_runs);
  json.member("beyond_max_features", summary.dropped.beyond_most);
  if (options.given) json.member("not_in_vocabulary", summary.dropped.not_given);
  json.end_object();
  if (options.given) json.member("vocabulary", options.given->idf.empty() ? "given" : "given with its idf");
  json.end_object();
  std::string text = json.take();
  if (options.shard) text.insert(text.size() - 1, ",\"shard\":" + options.shard->origin);
  text.pop_back();  // its closing brace, so that the recipe becomes one more member
  std::string records = options.shard ? options.shard->records : records_member(summary.corpus.sources);
  if (options.shard && !records.empty()) records.insert(0, kRecordsMember);
  return text + ",\"text\":" + recipe_json(recipe) + records + "}";
}

std::function<void(const CorpusTotals&)> reading_progress(const DocumentSource& source, const BuildProgress& progress) {
  return [&source, &progress](const CorpusTotals& totals) {
    progress(BuildPhase::read, source.bytes_read(), source.total_bytes(), totals.documents);
  };
}

std::function<void()> measuring_progress(const DocumentSource& source, const BuildProgress& progress) {
  return [&source, &progress] { progress(BuildPhase::read, 0, source.total_bytes(), 0); };
}

constexpr std::uint64_t kArrayHeaderBytes = 128;

// The bytes of chunks that a build would have written to the disk.
struct DiskUse {
  std::uint64_t counts = 0;
  std::uint64_t id_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t field_bytes = 0;
  bool labelled = false;

  void add(const CountedChunk& chunk) {
    counts += chunk.counts.bytes().size();
    id_bytes += chunk.strings.ids.bytes();
    text_bytes += chunk.strings.texts.bytes();
    field_bytes += chunk.strings.fields.bytes();
    labelled = labelled || !chunk.strings.labels.blank();
  }
};

std::uint64_t strings_bytes(std::uint64_t bytes, std::uint64_t rows) {
  return bytes == 0 ? 0 : bytes + 8 * (rows + 1) + 2 * kArrayHeaderBytes;
}

std::uint64_t pool_bytes_of(const TextPlan& plan, const DiskUse& disk) {
  const auto rows = static_cast<std::uint64_t>(plan.summary.corpus.documents);
  const auto features = static_cast<std::uint64_t>(plan.summary.features);
  const auto nonzeros = static_cast<std::uint64_t>(plan.summary.nonzeros);
  std::uint64_t bytes = 8 * kArrayHeaderBytes + 16 * nonzeros + 8 * (rows + features + 2) + 12 * features;
  for (const std::string& term : plan.terms) bytes += term.size() + 1;
  if (disk.labelled) bytes += kArrayHeaderBytes + 4 * rows;
  if (const auto dimensions = static_cast<std::uint64_t>(plan.summary.dimensions); dimensions > 0)
    bytes += 3 * kArrayHeaderBytes + rows * (dimensions + sizeof(float)) + dimensions * sizeof(float);
  return bytes + strings_bytes(disk.id_bytes, rows) + strings_bytes(disk.text_bytes, rows) +
         strings_bytes(disk.field_bytes, rows);
}

TextBuildSummary summary_of(const CorpusTotals& totals, std::int64_t terms, const FeatureSelection& selection,
                            const TextBuildOptions& options) {
  TextBuildSummary summary;
  summary.corpus = totals;
  summary.terms = terms;
  summary.features = static_cast<std::int64_t>(selection.terms.size());
  for (const std::int32_t count : selection.document_frequency) summary.nonzeros += count;
  summary.unused_features = std::ranges::count(selection.document_frequency, 0);
  if (options.recipe.tokens.rule == TokenRule::words)
    summary.unspaced_features = std::ranges::count_if(selection.terms, has_unspaced_script);
  summary.dropped = selection.dropped;
  if (!options.given) summary.pairs = pairs_text(options.recipe);
  if (options.vectors) summary.dimensions = options.vectors->dimensions();
  if (options.given) summary.terms = summary.dropped.not_given + summary.features - summary.unused_features;
  return summary;
}

// Whether each term can get the number of its feature at once: features and idf are given, as for a shard, and are not
// too many. Runs of words exclude it, because they need the numbers of all words.
bool features_are_terms(const TextBuildOptions& options) {
  return options.given && !options.given->idf.empty() && options.given->terms.size() <= TermTable::most_given &&
         options.recipe.longest_ngram == 1;
}

TermTable table_for(const TextBuildOptions& options) {
  const std::vector<std::string>& ignored = options.recipe.stop_words;
  return features_are_terms(options) ? TermTable(ignored, options.given->terms, options.given->idf) : TermTable(ignored);
}

FeatureSelection given_terms_of(const TermTable& terms) {
  FeatureSelection selection;
  selection.terms.assign(terms.given().begin(), terms.given().end());
  selection.document_frequency.assign(terms.document_frequency().begin(), terms.document_frequency().end());
  selection.feature_of_term.resize(selection.terms.size());
  std::iota(selection.feature_of_term.begin(), selection.feature_of_term.end(), FeatureId{0});
  selection.dropped.not_given = terms.size();
  return selection;
}

FeatureSelection selected_features(TermTable& terms, std::int64_t documents, const TextBuildOptions& options,
                                   const OccurrenceCounts& occurrences) {
  if (features_are_terms(options)) return given_terms_of(terms);
  if (options.given) return select_given_features(terms, options.given->terms, options.recipe);
  return select_features(terms, documents, options.recipe, occurrences);
}

// How the memory of a build is divided.
struct BuildMemory {
  std::uint64_t terms;    // different terms, in the first pass
  std::uint64_t counts;   // counts of documents, in both passes; in the first only what the terms do not use
  std::uint64_t blocks;   // blocks of rows on their way, in the second
  std::uint64_t columns;  // the columns that are formed at once, at the end
};

BuildMemory build_memory(std::uint64_t memory, int threads) {
  const std::uint64_t counting = kProcessMemory + static_cast<std::uint64_t>(threads) * kCountingMemoryPerThread;
  const std::uint64_t left = memory > kProcessMemory ? memory - kProcessMemory : 0;
  return {.terms = memory > counting ? memory - counting : 0, .counts = left / 6, .blocks = left / 3, .columns = left / 2};
}

const std::vector<std::string>* label_names(const TextBuildOptions& options) {
  return options.shard ? &options.shard->labels : nullptr;
}

// The places of these documents; none if the source cannot be read again.
std::vector<RecordPlace> places_in(const TextBuildOptions& options, std::span<const std::int64_t> rows) {
  return options.read_again ? places_of(*options.read_again(), rows) : std::vector<RecordPlace>();
}

std::string advice_on_ids(const TextBuildOptions& options) {
  return is_file_format(options.origin.format)
             ? "; ids must differ: name the folder in which both lie as the source"
             : "; ids must differ: remove one of the two records, or take the ids from another field";
}

// Throws if two documents have one id. Compares the ids themselves if the source can be read again, because different ids
// may have the same mark.
void check_ids(const CopiedRows& repeats, const TextBuildOptions& options) {
  constexpr std::size_t enough = 100;
  const std::size_t count = std::min(enough, repeats.rows.size());
  std::vector<std::int64_t> rows(repeats.rows.begin(), repeats.rows.begin() + static_cast<std::ptrdiff_t>(count));
  rows.insert(rows.end(), repeats.originals.begin(), repeats.originals.begin() + static_cast<std::ptrdiff_t>(count));
  std::ranges::sort(rows);
  const auto is_repeated = std::ranges::unique(rows);
  rows.erase(is_repeated.begin(), is_repeated.end());
  const std::vector<RecordPlace> places = places_in(options, rows);
  const auto place_of = [&](std::int64_t row) -> const RecordPlace& {
    return places[static_cast<std::size_t>(std::ranges::lower_bound(rows, row) - rows.begin())];
  };
  for (std::size_t n = 0; n < count; ++n) {
    if (places.size() != rows.size())
      throw FormatError(fmt::format("document {}", repeats.rows[n]),
                        fmt::format("expected another id than that of document {} (counted from 0){}", repeats.originals[n],
                                    advice_on_ids(options)));
    const RecordPlace& first = place_of(repeats.originals[n]);
    const RecordPlace& second = place_of(repeats.rows[n]);
    if (first.id == second.id)
      throw FormatError(second.place, fmt::format("expected another id than {}, which {} has{}", quoted_text(second.id),
                                                  first.place, advice_on_ids(options)));
  }
}

std::string repeated_ids_remark(const CopiedRows& repeats, const TextBuildOptions& options) {
  const std::size_t count = repeats.rows.size();
  const std::array<std::int64_t, 2> rows = {repeats.originals.front(), repeats.rows.front()};
  const std::vector<RecordPlace> places = places_in(options, rows);
  const std::string first = places.size() == rows.size()
                                ? fmt::format("{}: {}, which {} has", places[1].place, quoted_text(places[1].id), places[0].place)
                                : fmt::format("document {}, counted from 0", rows[1]);
  return fmt::format("{} record{} kept without an id, because an earlier record has it (the first is {}; --strict refuses them)",
                     count, count == 1 ? " was" : "s were", first);
}

// What the second pass needs no more of the documents: their columns are written.
void close_columns(DocumentColumns& columns, const TextBuildOptions& options, TextBuildSummary& summary) {
  const CopiedRows repeats = columns.repeated_ids();
  const bool any = !repeats.rows.empty();
  if (any && options.repeated_ids == RepeatedIds::refused) check_ids(repeats, options);
  if (any && options.repeated_ids == RepeatedIds::left_out) {
    summary.repeated_ids = std::ssize(repeats.rows);
    summary.corpus.remarks.push_back(repeated_ids_remark(repeats, options));
  }
  const CopiedRows copies = options.shard ? CopiedRows() : columns.same(options.same_by);
  if (options.shard) columns.write_marks();
  columns.close(label_names(options), copies.view(), summary.repeated_ids > 0 ? repeats.rows : std::span<const DocumentId>());
  summary.copies = copies.view().size();
}

// The second pass: from counts on disk to the published pool.
void weigh_and_publish(CountedBytes& counts, std::span<const CountedSegment> segments, const SelectedCorpus& selected,
                       const TextBuildSummary& summary, const TextBuildOptions& options, PoolStaging& staging,
                       const BuildProgress& progress) {
  const BuildMemory memory = build_memory(options.memory, tbb::this_task_arena::max_concurrency());
  const std::int64_t rows = summary.corpus.documents;
  std::uint64_t weighed = 0;
  TextMatrixWriter matrix(staging, selected.recipe, selected.feature_counts, selected.idf, memory.columns);
  const LargeVector<WeightedTerm> terms = weighted_terms(selected, matrix.columns());
  weigh_corpus(counts, segments, selected.recipe, terms, memory.blocks, matrix, [&](std::int64_t entries) {
    weighed += static_cast<std::uint64_t>(entries);
    progress(BuildPhase::weigh, weighed, static_cast<std::uint64_t>(summary.corpus.entries), rows);
  });
  std::uint64_t written = 0;
  matrix.finish([&](std::int64_t entries) {
    written += static_cast<std::uint64_t>(entries);
    progress(BuildPhase::columns, written, static_cast<std::uint64_t>(summary.nonzeros), rows);
  });
  if (options.vectors) {
    write_vectors(staging, *options.vectors, options.vector_centre,
                  [&] { progress(BuildPhase::columns, written, static_cast<std::uint64_t>(summary.nonzeros), rows); });
  }
  staging.publish({.rows = rows,
                   .columns = summary.features,
                   .nonzeros = summary.nonzeros,
                   .program_version = options.origin.program_version,
                   .recipe = manifest_recipe(options, selected.recipe, summary),
                   .files = {}});
}

TextBuildOptions with_recipe(TextBuildOptions options, MeasuredSource& source, const BuildProgress& progress) {
  options.recipe = recipe_for_source(options.recipe, source, options.memory, measuring_progress(source, progress));
  return options;
}

}  // namespace

std::uint64_t least_build_memory(int threads) {
  return 2 * (kProcessMemory + static_cast<std::uint64_t>(threads) * kCountingMemoryPerThread);
}

std::uint64_t memory_for_terms(std::uint64_t memory, int threads) { return build_memory(memory, threads).terms; }

int most_build_threads(std::uint64_t memory) {
  const std::uint64_t counting = memory / 2 > kProcessMemory ? memory / 2 - kProcessMemory : 0;
  constexpr std::uint64_t most = 1024;
  return static_cast<int>(std::clamp<std::uint64_t>(counting / kCountingMemoryPerThread, 1, most));
}

TextRecipe recipe_for_source(TextRecipe recipe, MeasuredSource& source, std::uint64_t memory,
                             const std::function<void()>& between) {
  if (recipe.longest_ngram == kNgramsBySize) recipe.choose_ngrams(source.is_within(kMostBytesForPairs, memory / 4, between));
  return recipe;
}

TextBuildSummary build_text_pool(DocumentSource& source, const TextBuildOptions& options, PoolStaging& staging,
                                 const BuildProgress& progress) {
  MeasuredSource measured(source);
  const TextBuildOptions chosen = with_recipe(options, measured, progress);
  const BuildMemory memory = build_memory(chosen.memory, tbb::this_task_arena::max_concurrency());
  StagedDocuments documents(staging, chosen, memory.counts);
  TextBuildSummary summary;
  SelectedCorpus selected;
  {
    TermTable terms = table_for(chosen);
    const CorpusTotals totals = count_corpus(
        measured, chosen.recipe, chosen.texts, CountKeeping::keep, memory.terms, terms,
        [&](const CountedChunk& chunk) {
          documents.append(chunk);
          if (documents.counts.kept() + terms.memory() + measured.unpacking_memory() > memory.terms)
            documents.counts.write_kept();
        },
        reading_progress(measured, progress));
    FeatureSelection selection = selected_features(terms, totals.documents, chosen, [&] {
      return count_occurrences(documents.counts, documents.segments, terms.document_frequency().size());
    });
    summary = summary_of(totals, terms.size(), selection, chosen);
    close_columns(documents.columns, chosen, summary);
    chosen.check(summary);
    if (chosen.vectors) check_vectors(*chosen.vectors, totals.documents, chosen.vector_centre);
    selected = write_selected_features(staging, selection, totals.documents, chosen);
  }
  ScratchCounts counts(documents.counts, ScratchCounts::Reading::once);
  weigh_and_publish(counts, documents.segments, selected, summary, chosen, staging, progress);
  return summary;
}

TextBuildSummary build_counted_pool(DocumentSource& source, const CountedDocuments& documents, const TextBuildOptions& options,
                                    PoolStaging& staging, const BuildProgress& progress) {
  const auto has_read = [&] {
    progress(BuildPhase::read, source.bytes_read(), source.total_bytes(), documents.totals.documents);
  };
  TextBuildSummary summary = summary_of(documents.totals, 0, documents.selection, options);
  {
    DocumentColumns columns(staging, certain_columns(options));
    if (documents.strings) {
      Chunk chunk;
      while (source.read(chunk)) has_read();  // so that `check` knows what the text is now
      DocumentStrings strings;
      while (documents.strings(strings)) columns.append(strings);
    } else {
      read_documents(
          source, options.texts, [&columns](const DocumentStrings& strings) { columns.append(strings); }, has_read);
    }
    close_columns(columns, options, summary);
  }
  options.check(summary);
  FeatureSelection selection = documents.selection;
  const SelectedCorpus selected = write_selected_features(staging, selection, documents.totals.documents, options);
  weigh_and_publish(*documents.counts, documents.segments, selected, summary, options, staging, progress);
  return summary;
}

TextPlan plan_text_pool(DocumentSource& source, const TextBuildOptions& options, const BuildProgress& progress) {
  MeasuredSource measured(source);
  const TextBuildOptions chosen = with_recipe(options, measured, progress);
  const BuildMemory memory = build_memory(chosen.memory, tbb::this_task_arena::max_concurrency());
  const bool limited = chosen.recipe.max_features.has_value();
  DiskUse disk;
  std::vector<std::uint64_t> occurrences;
  TermTable terms = table_for(chosen);
  const CorpusTotals totals = count_corpus(
      measured, chosen.recipe, chosen.texts, CountKeeping::keep, memory.terms, terms,
      [&](const CountedChunk& chunk) {
        disk.add(chunk);
        if (!limited) return;
        add_occurrences(chunk.counts.bytes(), chunk.segments, occurrences);
      },
      reading_progress(measured, progress));
  const FeatureSelection selection = selected_features(terms, totals.documents, chosen, [&] {
    occurrences.resize(terms.document_frequency().size());
    return occurrences;
  });
  TextPlan plan;
  plan.summary = summary_of(totals, terms.size(), selection, chosen);
  chosen.check(plan.summary);
  if (chosen.vectors) check_vectors(*chosen.vectors, totals.documents, chosen.vector_centre);
  plan.idf = idf_of(selection, totals.documents, chosen);
  plan.recipe = recipe_of_build(chosen, totals.documents);
  plan.terms.assign(selection.terms.begin(), selection.terms.end());
  plan.document_frequency = selection.document_frequency;
  plan.pool_bytes = pool_bytes_of(plan, disk);
  const std::uint64_t marks = 2 * sizeof(StringMark) + (disk.field_bytes > 0 ? sizeof(RecordIdentity) : 0);
  plan.scratch_bytes = disk.counts + disk.id_bytes + marks * static_cast<std::uint64_t>(totals.documents) +
                       8 * static_cast<std::uint64_t>(plan.summary.nonzeros);
  return plan;
}

}  // namespace inkling
