#include "io/corpus/from_text/text_matrix_writer.hpp"

#include <span>
#include <utility>

namespace inkling {

TextMatrixWriter::TextMatrixWriter(PoolStaging& staging, const TextRecipe& recipe, std::vector<std::int64_t> feature_counts,
                                   std::vector<double> idf, std::uint64_t memory)
    : ranges_(feature_counts),
      files_(staging, feature_counts),
      columns_(staging, recipe, std::move(feature_counts), std::move(idf), memory) {}

void TextMatrixWriter::append(const WeighedRows& block) {
  files_.append(block.row_sizes, std::span(block.features).first(block.entries), std::span(block.values).first(block.entries),
                [&] { columns_.append(block.columns); });
}

void TextMatrixWriter::finish(const std::function<void(std::int64_t)>& advance) {
  files_.finish([this](const auto& consume) { columns_.take(consume); }, advance);
}

}  // namespace inkling
