#include "io/corpus/from_text/pool_extension.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <simdjson.h>
#include <tsl/robin_set.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/base/process/build_info.hpp"
#include "io/corpus/from_text/record_sources.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/vectors/vector_writer.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kMatrixMemory = std::uint64_t{512} << 20U;
constexpr std::string_view kExtends = ",\"extends\":[";  // the last member of a recipe

// Throws if memory runs out: that is not an error of the recipe.
simdjson::simdjson_result<simdjson::dom::element> recipe_in(simdjson::dom::parser& parser, const Manifest& manifest) {
  const auto recipe = parser.parse(manifest.recipe);
  if (recipe.error() == simdjson::MEMALLOC) throw std::bad_alloc();
  return recipe;
}

SourceDocument document_of(const Pool& pool, DocumentId row) {
  SourceDocument document;
  if (pool.texts()) document.text = (*pool.texts())[row];
  if (pool.ids()) document.id = (*pool.ids())[row];
  if (pool.fields()) document.fields = (*pool.fields())[row];
  if (const std::optional<std::size_t> label = pool.label(row)) document.label = pool.label_names()[*label];
  return document;
}

// Which records a pool has already: recognized by their id, or by their text if they have no id.
class KnownRecords {
 public:
  void add(const SourceDocument& document) {
    if (!document.id.empty())
      ids_.insert(document.id);
    else if (!document.text.empty())
      texts_.insert(document.text);
  }
  [[nodiscard]] bool has(const SourceDocument& document) const {
    return document.id.empty() ? texts_.contains(document.text) : ids_.contains(document.id);
  }

 private:
  tsl::robin_set<std::string_view> ids_;  // lent by the pools
  tsl::robin_set<std::string_view> texts_;
};

std::int32_t rows_of(const Pool& pool) { return pool.view().by_document.rows(); }

std::vector<DocumentId> new_rows(const Pool& pool, const Pool& more) {
  KnownRecords known;
  for (DocumentId row = 0; row < rows_of(pool); ++row) known.add(document_of(pool, row));
  std::vector<DocumentId> rows;
  for (DocumentId row = 0; row < rows_of(more); ++row) {
    const SourceDocument document = document_of(more, row);
    if (known.has(document)) continue;
    known.add(document);
    rows.push_back(row);
  }
  return rows;
}

template <typename Visit>
void for_each_row(const Pool& pool, const Pool& more, std::span<const DocumentId> rows, const Visit& visit) {
  for (DocumentId row = 0; row < rows_of(pool); ++row) visit(pool, row);
  for (const DocumentId row : rows) visit(more, row);
}

// The new rows that are copies, numbered as in the new pool. `same`: those of all rows.
CopiedRows new_copies(const Pool& pool, const CopiedRows& same) {
  std::vector<std::pair<DocumentId, DocumentId>> members;  // by the row that is offered of a cluster
  for (std::size_t n = 0; n < same.rows.size(); ++n) {
    members.emplace_back(same.originals[n], same.rows[n]);
    members.emplace_back(same.originals[n], same.originals[n]);
  }
  std::ranges::sort(members);
  const auto again = std::ranges::unique(members);
  members.erase(again.begin(), again.end());
  std::vector<std::pair<DocumentId, DocumentId>> found;
  DocumentId first = 0;
  for (std::size_t n = 0; n < members.size(); ++n) {
    const auto [offered, row] = members[n];
    if (n == 0 || offered != members[n - 1].first) first = row;
    const DocumentId original = first < rows_of(pool) ? pool.copies().original_of(first) : offered;
    if (row >= rows_of(pool) && row != original) found.emplace_back(row, original);
  }
  std::ranges::sort(found);
  CopiedRows copies;
  for (const auto& [row, original] : found) copies.add(row, original);
  return copies;
}

// Where no texts are kept: one mark for the rows that `more` found to be one.
StringMark mark_of_copies(const Pool& more, DocumentId row) {
  const DocumentId original = more.copies().original_of(row);
  return {1, static_cast<std::uint64_t>(original) + 1};
}

// Returns how many of the new rows are one with another.
std::int64_t write_documents(const Pool& pool, const Pool& more, std::span<const DocumentId> rows, SameBy by,
                             PoolStaging& staging, const std::function<void()>& may_end) {
  constexpr std::size_t at_once = 1024;
  const TextKeeping keeping = pool.texts() ? TextKeeping::keep : TextKeeping::drop;
  DocumentColumns columns(
      staging, {.ids = pool.ids().has_value(), .texts = pool.texts().has_value(), .fields = pool.fields().has_value()});
  const std::pair sources(record_sources(pool.manifest()), record_sources(more.manifest()));
  DocumentStrings strings;
  for_each_row(pool, more, rows, [&](const Pool& from, DocumentId row) {
    may_end();
    SourceDocument document = document_of(from, row);
    const std::vector<FileOfRecords>& of_pool = &from == &more ? sources.second : sources.first;
    document.id_is_pmid = of_pool[source_of_row(of_pool, row)].format == "nbib";
    strings.append(document, keeping);
    if (!pool.texts() && &from == &more) strings.text_marks.back() = mark_of_copies(more, row);
    if (strings.ids.size() < at_once) return;
    columns.append(strings);
    strings.clear();
  });
  columns.append(strings);
  CopiedRows copies = {.rows = {pool.copies().rows.begin(), pool.copies().rows.end()},
                       .originals = {pool.copies().originals.begin(), pool.copies().originals.end()}};
  const std::int64_t before = copies.view().size();
  const CopiedRows added = new_copies(pool, columns.same(by));
  for (std::size_t n = 0; n < added.rows.size(); ++n) copies.add(added.rows[n], added.originals[n]);
  columns.close(nullptr, copies.view());
  return copies.view().size() - before;
}

void write_words(const Pool& pool, std::span<const std::int64_t> counts, PoolStaging& staging) {
  StagedLines vocabulary(staging, std::string(PoolFile::vocabulary));
  for (const std::string_view term : pool.vocabulary()->all()) vocabulary.append(term);
  vocabulary.close();
  StagedArray<std::int32_t> frequencies(staging, std::string(PoolFile::document_frequency));
  for (const std::int64_t count : counts) frequencies.append(static_cast<std::int32_t>(count));
  frequencies.close();
  StagedArray<double> idf(staging, std::string(PoolFile::idf));
  idf.append(pool.idf());
  idf.close();
}

// How many rows hold each feature.
std::vector<std::int64_t> feature_counts(const Pool& pool, const Pool& more, std::span<const DocumentId> rows) {
  std::vector<std::int64_t> counts(pool.document_frequency().begin(), pool.document_frequency().end());
  for (const DocumentId row : rows)
    for (const FeatureId feature : more.view().by_document.row(row).features) ++counts[static_cast<std::size_t>(feature)];
  return counts;
}

// The files of both pools, of which these rows of `more` are new.
std::vector<FileOfRecords> all_sources(const Pool& pool, const Pool& more, std::span<const DocumentId> rows) {
  std::vector<FileOfRecords> sources = record_sources(pool.manifest());
  auto row = rows.begin();
  std::int64_t end = 0;
  for (FileOfRecords source : record_sources(more.manifest())) {
    end += source.documents;
    const auto next = std::find_if(row, rows.end(), [end](DocumentId one) { return one >= end; });
    source.known = source.documents - (next - row);
    source.documents = next - row;
    add_records(sources, source);
    row = next;
  }
  return sources;
}

// Rows of `more` have none if it has no vectors.
void write_all_vectors(const Pool& pool, const Pool& more, std::span<const DocumentId> rows, PoolStaging& staging) {
  const VectorView own = pool.view().by_document.vectors();
  if (own.empty()) return;
  const VectorView added = more.view().by_document.vectors();
  VectorRows vectors(staging, pool.vector_centre());
  for (DocumentId row = 0; row < rows_of(pool); ++row) vectors.append(own, row);
  for (const DocumentId row : rows) added.empty() ? vectors.append_none() : vectors.append(added, row);
  vectors.close();
}

std::string extended_recipe(const Pool& pool, const std::string& fingerprint, const std::vector<FileOfRecords>& sources) {
  JsonWriter json;
  json.begin_array();
  std::vector<PoolBefore> before = pools_before(pool.path(), pool.manifest());
  before.push_back({fingerprint, pool.view().documents()});
  for (const PoolBefore& one : before)
    json.begin_object().member("fingerprint", one.fingerprint).member("documents", one.documents).end_object();
  json.end_array();
  std::string recipe = pool.manifest().recipe;
  recipe.resize(std::min({recipe.find(kRecordsMember), recipe.rfind(kExtends), recipe.size() - 1}));
  return recipe + records_member(sources) + std::string(kExtends.substr(0, kExtends.size() - 1)) + json.take() + "}";
}

}  // namespace

SameBy same_by_of(const Manifest& manifest) {
  simdjson::dom::parser parser;
  const auto recipe = recipe_in(parser, manifest);
  std::string_view how;
  if (recipe["equal_texts"].get(how) == simdjson::SUCCESS && how == kKeptApart) return kAllApart;
  return recipe["same_by"].get(how) == simdjson::SUCCESS ? same_by_in(how).value_or(SameBy()) : SameBy();
}

std::vector<PoolBefore> pools_before(const std::string& path, const Manifest& manifest) {
  simdjson::dom::parser parser;
  simdjson::dom::array named;
  if (recipe_in(parser, manifest)["extends"].get(named) != simdjson::SUCCESS) return {};
  std::vector<PoolBefore> before;
  for (const simdjson::dom::element one : named) {
    std::string_view fingerprint;
    std::int64_t documents = 0;
    if (one["fingerprint"].get(fingerprint) != simdjson::SUCCESS || one["documents"].get(documents) != simdjson::SUCCESS ||
        documents < 0 || documents > manifest.rows)
      throw CorruptFileError(pool_file_path(path, PoolFile::manifest),
                             "expected \"extends\" in \"recipe\" to list the pools before this one");
    before.push_back({std::string(fingerprint), documents});
  }
  return before;
}

PoolExtension extend_pool(const Pool& pool, const std::string& fingerprint, const Pool& more, SameBy by, PoolStaging& staging,
                          const std::function<void()>& may_end) {
  const std::vector<DocumentId> rows = new_rows(pool, more);
  const std::int64_t documents = pool.view().documents() + std::ssize(rows);
  PoolExtension extension = {
      .documents = documents, .added = std::ssize(rows), .known = more.view().documents() - std::ssize(rows)};
  if (rows.empty()) return extension;
  extension.copies = write_documents(pool, more, rows, by, staging, may_end);
  const std::vector<std::int64_t> counts = feature_counts(pool, more, rows);
  write_words(pool, counts, staging);
  MatrixWriter matrix(staging, counts, kMatrixMemory);
  MatrixRows blocks(matrix, pool.view().by_document.columns());
  for_each_row(pool, more, rows, [&](const Pool& from, DocumentId row) {
    may_end();
    const SparseRow entries = from.view().by_document.row(row);
    for (std::size_t n = 0; n < entries.size(); ++n) blocks.add(entries.features[n], entries.values[n]);
    blocks.end_row();
  });
  blocks.flush();
  matrix.finish();
  write_all_vectors(pool, more, rows, staging);
  pool.check_unchanged();
  staging.publish({.rows = documents,
                   .columns = pool.manifest().columns,
                   .nonzeros = matrix.nonzeros(),
                   .program_version = std::string(program_version),
                   .recipe = extended_recipe(pool, fingerprint, all_sources(pool, more, rows)),
                   .files = {}});
  return extension;
}

}  // namespace inkling
