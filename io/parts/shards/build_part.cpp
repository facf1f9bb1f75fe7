#include "io/parts/shards/build_part.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/file/utf8.hpp"
#include "io/corpus/pool/format/sealed_json.hpp"
#include "io/corpus/source/record_format.hpp"
#include "io/corpus/vectors/vector_writer.hpp"
#include "io/parts/shards/corpus_words.hpp"
#include "io/parts/shards/part_source.hpp"

namespace inkling {
namespace {

void check_wanted_names(const BuildPlan& plan, const CountsManifest& counts) {
  const auto has_field = [&](const std::string& field) { return std::ranges::binary_search(counts.fields, field); };
  if (counts.totals.documents > 0) {
    for (const std::string& field : plan.wanted_fields) {
      // One name, or several with commas between them.
      const std::vector<std::string> all = fields_listed_in(field);
      if (!has_field(field) && !std::ranges::all_of(all, has_field))
        throw FormatError("the plan", fmt::format("expected records with the field {}, found none", quoted_text(field)));
    }
  }
  for (const std::string& label : plan.source.labels)
    if (!std::ranges::binary_search(counts.labels_seen, label))
      throw FormatError("the plan", fmt::format("expected documents with the label {}, found none", quoted_text(label)));
}

void check_corpus(const BuildPlan& plan, const CountsManifest& counts, const CorpusWords& words) {
  check_wanted_names(plan, counts);
  if (plan.may_be_empty) return;
  if (counts.totals.documents == 0)
    throw FormatError("the plan", "expected documents, found none (plan with --allow-empty makes pools all the same)");
  if (words.terms.empty())
    throw FormatError("the plan",
                      "expected words to become features, found none (plan with --allow-empty makes "
                      "pools all the same)");
}

const CountedPart& counted_part(const CountsManifest& counts, std::int64_t part) {
  return *std::ranges::lower_bound(counts.parts, part, {}, &CountedPart::part);
}

// Finds the words of the corpus among the terms of the part, by the numbers that its rows use. Both lists ascend.
FeatureSelection words_in(const PartRows& rows, const CorpusWords& words, const TextRecipe& recipe) {
  constexpr std::size_t piece = std::size_t{1} << 18U;
  FeatureSelection selection;
  selection.terms = words.terms;
  selection.document_frequency.assign(words.terms.size(), 0);
  selection.feature_of_term.assign(rows.numbers().size(), FeatureSelection::none);
  const std::int64_t documents = rows.counts().manifest().totals.documents;
  std::size_t feature = 0;
  auto number = rows.numbers().begin();
  for (CountsStream stream(rows.counts(), piece); stream.next(); ++number) {
    if (stream.documents() > documents)
      throw CorruptFileError(rows.counts().path(), "expected terms of at most {} documents", documents);
    while (feature < words.terms.size() && words.terms[feature] < stream.term()) ++feature;
    if (feature == words.terms.size() || words.terms[feature] != stream.term()) {
      ++selection.dropped.not_given;
      if (recipe.counts_other_runs() && kind_of_term(stream.term()) == TermKind::run)
        selection.feature_of_term[*number] = FeatureSelection::in_length;
      continue;
    }
    selection.feature_of_term[*number] = static_cast<FeatureId>(feature);
    selection.document_frequency[feature] = static_cast<std::int32_t>(stream.documents());
  }
  return selection;
}

TextBuildSummary build_from_rows(DocumentSource& source, PartRows& rows, const CorpusWords& words, const TextBuildOptions& build,
                                 PoolStaging& staging, const BuildProgress& progress) {
  CountedDocuments documents = {.totals = rows.counts().manifest().totals,
                                .selection = words_in(rows, words, build.recipe),
                                .segments = rows.segments(),
                                .counts = &rows};
  if (rows.keeps_strings()) documents.strings = [&rows](DocumentStrings& strings) { return rows.read_strings(strings); };
  try {
    return build_counted_pool(source, documents, build, staging, progress);
  } catch (const std::logic_error&) {
    // Thrown by the writer of the matrix if its columns are not as long as the counts say.
    rows.refuse("expected rows with as many documents of each term as the counts beside them");
  }
}

// Those of the documents of one part.
std::shared_ptr<const VectorSource> vectors_of_part(const PlannedVectors& planned, const CountsManifest& counts,
                                                    const ShardOrigin& origin) {
  std::shared_ptr<const VectorSource> all = vectors_in_file(planned.file.path());
  check_planned_file(planned.file, origin.part);
  check_vectors(*all, counts.totals.documents, planned.centre);
  return vectors_of_rows(std::move(all), origin.first_row, counted_part(counts, origin.part).documents);
}

}  // namespace

std::string shard_origin_json(const ShardOrigin& origin) {
  JsonWriter json;
  json.begin_object();
  json.member("plan", checksum_digits(origin.plan)).member("counts", checksum_digits(origin.counts));
  json.member("part", origin.part).member("all_parts", origin.all_parts);
  json.member("first_row", origin.first_row);
  return json.end_object().take();
}

std::optional<ShardOrigin> shard_origin_of(const std::string& pool, const Manifest& manifest) {
  const JsonMembers json(pool_file_path(pool, PoolFile::manifest));
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::element shard;
  if (!succeeded(parser.parse(padded(manifest.recipe)).get(root))) json.fail("expected \"recipe\" to be an object");
  if (root["shard"].get(shard) != simdjson::SUCCESS) return std::nullopt;
  return ShardOrigin{.plan = json.checksum(shard, "plan"),
                     .counts = json.checksum(shard, "counts"),
                     .part = json.integer(shard, "part"),
                     .all_parts = json.integer(shard, "all_parts"),
                     .first_row = json.integer(shard, "first_row")};
}

ShardOrigin planned_shard(const BuildPlan& plan, const CountsFolder& counts, std::int64_t part) {
  static_cast<void>(part_of_plan(plan, part));
  const CountsManifest& manifest = counts.manifest();
  const auto refuse = [&counts](const std::string& expectation) { throw FormatError(counts.path(), expectation); };
  if (manifest.program_version != plan.program_version)
    refuse(fmt::format("expected counts that inkling {} made, as the plan, found those of inkling {}", plan.program_version,
                       manifest.program_version));
  if (manifest.recipe != recipe_json(plan.recipe))
    refuse("expected counts by the recipe of the plan, found those by another one");
  if (manifest.plan != plan.checksum) refuse("expected counts of this plan, found those of another one");
  if (!manifest.is_complete()) {
    std::int64_t missing = 0;
    for (const CountedPart& counted : manifest.parts) missing += counted.part == missing ? 1 : 0;
    refuse(fmt::format("expected counts of all {} parts, found those of {}; part {} is missing", manifest.all_parts,
                       manifest.parts.size(), missing));
  }
  ShardOrigin origin = {.plan = plan.checksum, .counts = counts.checksum(), .part = part, .all_parts = manifest.all_parts};
  for (const CountedPart& counted : manifest.parts)
    if (counted.part < part) origin.first_row += counted.documents;
  return origin;
}

std::optional<Manifest> pool_manifest_at(const std::string& path) {
  const std::string manifest = pool_file_path(path, PoolFile::manifest);
  if (!status_at(manifest.c_str())) return std::nullopt;
  return parse_manifest(manifest, text_of_sealed_file(manifest, "the manifest of a pool"));
}

StagedKind staged_shard() {
  StagedKind kind = StagedKind::pool();
  kind.existing = StagedKind::Existing::stays;
  return kind;
}

std::unique_ptr<PartRows> kept_rows(const CountsFolder& counts, std::int64_t part, const std::string& folder) {
  CountsFolder own(folder);
  const CountsManifest& manifest = own.manifest();
  const bool are_of_part = manifest.plan == counts.manifest().plan && manifest.parts.size() == 1 &&
                           manifest.parts.front() == counted_part(counts.manifest(), part);
  if (!are_of_part)
    throw FormatError(folder, fmt::format("expected the counts of part {} that are in {}, found others", part, counts.path()));
  return PartRows::beside(std::move(own));
}

TextBuildSummary build_part(const BuildPlan& plan, const CountsFolder& counts, const ShardOrigin& origin, PartRows* rows,
                            const SourceOptions& process, std::uint64_t memory, PoolStaging& staging,
                            const BuildProgress& progress) {
  const CorpusWords words = corpus_words(counts, plan.recipe, memory, [&process] { process.reading.check_interruption(); });
  check_corpus(plan, counts.manifest(), words);
  PartSource source(plan, origin.part, process);
  const CountedPart& counted = counted_part(counts.manifest(), origin.part);

  TextBuildOptions build;
  build.recipe = recipe_for_corpus(plan.recipe, counts.manifest().totals.documents);
  build.given = GivenFeatures{.terms = words.terms, .idf = words.idf};
  build.texts = plan.texts;
  if (plan.vectors) {
    build.vectors = vectors_of_part(*plan.vectors, counts.manifest(), origin);
    build.vector_centre = plan.vectors->centre;
  }
  build.repeated_ids = plan.source.reading.skip_bad ? RepeatedIds::left_out : RepeatedIds::refused;
  build.memory = memory - std::min(memory, words.memory());
  build.origin = {.sources = plan.sources, .format = plan.source.format, .program_version = plan.program_version};
  build.shard = ShardOfCorpus{.origin = shard_origin_json(origin),
                              .has_ids = counts.manifest().has_ids,
                              .has_texts = counts.manifest().has_texts,
                              .has_fields = counts.manifest().has_fields,
                              .labels = labels_of(counts),
                              .records = counted.records};
  build.check = [&](const TextBuildSummary& summary) {
    if (source.checksum() == counted.text && summary.corpus.documents == counted.documents) return;
    throw FormatError(fmt::format("part {} of the plan", origin.part),
                      fmt::format("expected the {} documents that were counted, found others: its files were "
                                  "changed between the passes, such as {}",
                                  counted.documents, plan.parts[static_cast<std::size_t>(origin.part)].files.front().path()));
  };
  return rows == nullptr ? build_text_pool(source, build, staging, progress)
                         : build_from_rows(source, *rows, words, build, staging, progress);
}

}  // namespace inkling
