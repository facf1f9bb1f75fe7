#include "io/corpus/from_text/text_matrix_writer.hpp"

#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/core/at_once.hpp"
#include "engine/core/errors.hpp"
#include "io/base/file/digit_groups.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {
TextMatrixWriter::TextMatrixWriter(PoolStaging& staging, const TextRecipe& recipe, std::vector<std::int64_t> feature_counts,
                                   std::vector<double> idf, std::uint64_t memory)
    : staging_(staging),
      ranges_(feature_counts),
      row_offsets_(staging, std::string(PoolFile::row_offsets)),
      row_features_(staging, std::string(PoolFile::row_features)),
      row_values_(staging, std::string(PoolFile::row_values)),
      column_offsets_(staging, std::string(PoolFile::column_offsets)),
      columns_(staging, recipe, feature_counts, std::move(idf), memory) {
  row_offsets_.append(0);
  column_offsets_.append(0);
  std::int64_t end = 0;
  for (const std::int64_t count : feature_counts) column_offsets_.append(end += count);
}

void TextMatrixWriter::append(const WeighedRows& block) {
  if (rows_ + static_cast<std::int64_t>(block.row_sizes.size()) > kMostRowsOrColumns)
    throw FormatError(staging_.target(), fmt::format("expected at most {} rows", digit_groups(kMostRowsOrColumns)));
  offsets_.clear();
  for (const std::uint32_t size : block.row_sizes) offsets_.push_back(nonzeros_ += size);
  row_offsets_.append(offsets_);
  at_once([&] { row_features_.append(std::span(block.features).first(block.entries)); },
          [&] { row_values_.append(std::span(block.values).first(block.entries)); }, [&] { columns_.append(block.columns); });
  rows_ += static_cast<std::int64_t>(block.row_sizes.size());
}

void TextMatrixWriter::finish(const std::function<void(std::int64_t)>& advance) {
  row_offsets_.close();
  row_features_.close();
  row_values_.close();
  column_offsets_.close();

  StagedArray<std::int32_t> rows(staging_, std::string(PoolFile::column_rows));
  StagedArray<float> values(staging_, std::string(PoolFile::column_values));
  columns_.take([&](const EntryGroups& groups) {
    at_once([&] { rows.append(groups.members); }, [&] { values.append(groups.values); });
    advance(static_cast<std::int64_t>(groups.members.size()));
  });
  rows.close();
  values.close();
}

}  // namespace inkling
