#include "io/doors/python/core_pool.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/process/build_info.hpp"
#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling::python {
namespace {

constexpr std::uint64_t kSavingMemory = std::uint64_t{1} << 30U;

void write_strings(PoolStaging& staging, std::string_view name, std::span<const std::string> strings) {
  if (strings.empty()) return;
  StagedStrings file(staging, name);
  for (const std::string& text : strings) file.append(text);
  file.close();
}

void write_labels(PoolStaging& staging, std::span<const std::string> labels) {
  if (labels.empty()) return;
  LabelColumn column(staging);
  StringBatch batch;
  for (const std::string& label : labels) batch.append(label);
  column.append(batch);
  column.write(staging, column.names());
}

void write_terms(PoolStaging& staging, std::span<const std::int64_t> counts, std::span<const std::string> terms) {
  StagedArray<std::int32_t> frequencies(staging, std::string(PoolFile::document_frequency));
  for (const std::int64_t count : counts) frequencies.append(static_cast<std::int32_t>(count));
  frequencies.close();
  if (terms.empty()) return;
  StagedLines vocabulary(staging, std::string(PoolFile::vocabulary));
  for (const std::string& term : terms) vocabulary.append(term);
  vocabulary.close();
}

void write_rows(MatrixWriter& writer, CsrView rows, std::span<const FeatureId> order) {
  MatrixRows blocks(writer, rows.columns());
  for (std::int32_t next = 0; next < rows.rows(); ++next) {
    const SparseRow row = rows.row(next);
    for (std::size_t n = 0; n < row.size(); ++n) {
      if (row.values[n] == 0.0F) continue;
      blocks.add(order.empty() ? row.features[n] : order[static_cast<std::size_t>(row.features[n])], row.values[n]);
    }
    blocks.end_row();
  }
  blocks.flush();
}

}  // namespace

CorePool::CorePool(const std::string& path, PoolTrust trust) : pool_(Pool::open(path, trust)) {
  view_ = pool_->view();
  std::optional<TextRecipe> recipe = recipe_of_pool(path, pool_->manifest());
  is_from_text_ = recipe.has_value();
  if (recipe) recipe_ = *std::move(recipe);
}

CorePool::CorePool(CsrView borrowed) : offsets_(borrowed.offsets().begin(), borrowed.offsets().end()) {
  const std::span<const FeatureId> features = borrowed.features().unchecked();
  check_csr(borrowed.columns(), offsets_, features, borrowed.values());
  const CsrView rows(borrowed.columns(), offsets_, features, borrowed.values());
  columns_.emplace(transposed(rows));
  view_ = {rows, columns_->view()};
}

TermLookup CorePool::lookup() const {
  return [this](std::string_view term) -> std::optional<KnownTerm> {
    const std::optional<FeatureId> feature = pool_ ? pool_->feature_of(term) : std::nullopt;
    if (!feature) return std::nullopt;
    const auto at = static_cast<std::size_t>(*feature);
    return KnownTerm{*feature, pool_->document_frequency()[at], pool_->idf().empty() ? 1.0 : pool_->idf()[at]};
  };
}

TextRows rows_of_texts(const CorePool& pool, std::span<const std::string> texts) {
  const TermLookup lookup = pool.lookup();
  TextRows rows;
  rows.offsets.reserve(texts.size() + 1);
  for (const std::string& text : texts) {
    std::vector<std::pair<FeatureId, float>> entries;
    const Explanation explained = explain_text(text, pool.recipe(), lookup);
    entries.reserve(explained.terms.size());
    for (const ExplainedTerm& term : explained.terms)
      if (term.known) entries.emplace_back(term.known->feature, term.weight);
    std::ranges::sort(entries);
    for (const auto& [feature, value] : entries) {
      rows.features.insert(rows.features.end(), feature);
      rows.values.insert(rows.values.end(), value);
    }
    rows.offsets.push_back(static_cast<std::int64_t>(rows.features.size()));
  }
  return rows;
}

void save_matrix(const std::string& path, CsrView rows, const SavedMatrix& with) {
  PoolStaging staging(path);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(rows.columns()), 0);
  std::int64_t nonzeros = 0;
  for (std::size_t n = 0; n < rows.values().size(); ++n) {
    if (rows.values()[n] == 0.0F) continue;
    const auto at = static_cast<std::size_t>(rows.features()[n]);
    ++counts[with.order.empty() ? at : static_cast<std::size_t>(with.order[at])];
    ++nonzeros;
  }
  write_strings(staging, PoolFile::ids, with.ids);
  write_strings(staging, PoolFile::texts, with.texts);
  write_labels(staging, with.labels);
  write_terms(staging, counts, with.terms);
  MatrixWriter writer(staging, counts, kSavingMemory / 2);
  write_rows(writer, rows, with.order);
  writer.finish();
  JsonWriter json;
  begin_manifest_recipe(json, {{}, "csr", std::string(program_version)});
  json.end_object();
  staging.publish({.rows = rows.rows(),
                   .columns = rows.columns(),
                   .nonzeros = nonzeros,
                   .program_version = std::string(program_version),
                   .recipe = json.take(),
                   .files = {}});
}

}  // namespace inkling::python
