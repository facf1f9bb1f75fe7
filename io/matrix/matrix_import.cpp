#include "io/matrix/matrix_import.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/file/json_writer.hpp"
#include "io/matrix/matrix_source.hpp"
#include "io/matrix/matrix_spill.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/write/matrix_writer.hpp"
#include "io/pool/write/staged_file.hpp"

namespace inkling {
namespace {

// A piece of a source, its entries, and what both take while they are parsed.
constexpr std::uint64_t kBytesOfPiece = std::uint64_t{8} << 20U;

MatrixTotals spill_source(MatrixSource& source, const ImportOptions& options, const ImportListener& listener,
                          MatrixSpill& spill) {
  const auto at_once =
      static_cast<std::size_t>(std::clamp<std::uint64_t>(options.memory / 8 / kBytesOfPiece, 1, 64));
  const MatrixTotals totals = read_matrix(source, at_once, [&](const MatrixBatch& batch) {
    spill.append(batch);
    listener.progress(ImportPhase::read, source.bytes_read(), source.total_bytes());
  });
  spill.finish(source.shape());
  return totals;
}

void check_terms(const ColumnTerms& terms, const ImportOptions& options, const MatrixSource& source) {
  const std::optional<std::int64_t> columns = source.shape().columns;
  if (columns && *columns != terms.size()) {
    throw FormatError(options.vocabulary, fmt::format("expected {} terms, one for each column, found {}",
                                                      *columns, terms.size()));
  }
}

// Column counts in order of features.
std::vector<std::int64_t> feature_counts(const MatrixSpill& spill, const std::optional<ColumnTerms>& terms) {
  if (!terms) return spill.column_counts();
  std::vector<std::int64_t> counts(spill.column_counts().size());
  for (std::size_t column = 0; column < counts.size(); ++column)
    counts[static_cast<std::size_t>(terms->feature_of_column()[column])] = spill.column_counts()[column];
  return counts;
}

void write_column_terms(PoolStaging& staging, const std::vector<std::int64_t>& counts,
                        const std::optional<ColumnTerms>& terms) {
  StagedArray<std::int32_t> frequencies(staging, std::string(PoolFile::document_frequency));
  for (const std::int64_t count : counts) frequencies.append(static_cast<std::int32_t>(count));
  frequencies.close();
  if (!terms) return;
  StagedLines vocabulary(staging, std::string(PoolFile::vocabulary));
  for (const std::string& term : terms->terms()) vocabulary.append(term);
  vocabulary.close();
}

// How the pool came about, for its manifest.
std::string import_recipe(const ImportOptions& options, const ImportSummary& summary) {
  JsonWriter json;
  json.begin_object();
  json.key("sources").begin_array();
  for (const std::string& source : options.sources) json.value(source);
  json.end_array();
  json.member("format", options.source_format);
  json.member("skipped_records", summary.skipped).member("zeros_left_out", summary.zeros);
  json.end_object();
  return json.take();
}

}  // namespace

ImportSummary import_matrix(MatrixSource& source, const ImportOptions& options, PoolStaging& staging,
                            const ImportListener& listener) {
  std::optional<ColumnTerms> terms;
  if (!options.vocabulary.empty()) {
    terms.emplace(options.vocabulary);
    check_terms(*terms, options, source);
  }
  std::optional<std::int64_t> columns = source.shape().columns;
  if (terms) columns = terms->size();
  MatrixSpill spill(staging, source.name(), source.order(), options.labels, {options.memory, columns});
  const MatrixTotals totals = spill_source(source, options, listener, spill);

  const std::vector<std::int64_t> counts = feature_counts(spill, terms);
  const ImportSummary summary = {.rows = spill.rows(),
                                 .columns = static_cast<std::int64_t>(counts.size()),
                                 .nonzeros = spill.nonzeros(),
                                 .zeros = totals.zeros,
                                 .skipped = totals.skipped};
  write_column_terms(staging, counts, terms);
  spill.write_labels(staging);

  const auto entries = static_cast<std::uint64_t>(summary.nonzeros);
  std::uint64_t written = 0;
  const auto told = [&](ImportPhase phase) {
    return [&listener, &written, entries, phase](auto more) {
      written += static_cast<std::uint64_t>(more);
      listener.progress(phase, written, entries);
    };
  };
  MatrixWriter writer(staging, counts, options.memory / 2);
  RowPass pass = {.columns = static_cast<std::int32_t>(counts.size()),
                  .feature_of_column = {},
                  .memory = options.memory / 4,
                  .advance = told(ImportPhase::rows)};
  if (terms) pass.feature_of_column = terms->feature_of_column();
  write_rows(spill, staging, pass, writer);
  written = 0;
  writer.finish(told(ImportPhase::columns));

  Manifest manifest;
  manifest.rows = summary.rows;
  manifest.columns = summary.columns;
  manifest.nonzeros = summary.nonzeros;
  manifest.program_version = options.program_version;
  manifest.recipe = import_recipe(options, summary);
  staging.publish(std::move(manifest));
  return summary;
}

}  // namespace inkling
