#include "engine/sparse/whole_row.hpp"

namespace inkling {

SparseRow WholeRow::of(const CsrView& documents, DocumentId document, std::int32_t columns) {
  const SparseRow words = documents.row(document);
  const VectorView vectors = documents.vectors();
  if (vectors.empty() || columns != documents.columns() + vectors.dimensions) return words;
  features_.assign(words.features.begin(), words.features.end());
  values_.assign(words.values.begin(), words.values.end());
  const float scale = vectors.scales[static_cast<std::size_t>(document)];
  const std::span<const std::int8_t> codes = vectors.codes_of(document);
  for (std::int32_t k = 0; k < vectors.dimensions; ++k) {
    const std::int8_t code = codes[static_cast<std::size_t>(k)];
    if (code == 0) continue;
    features_.push_back(documents.columns() + k);
    values_.push_back(scale * static_cast<float>(code));
  }
  return {features_, values_};
}

}  // namespace inkling
