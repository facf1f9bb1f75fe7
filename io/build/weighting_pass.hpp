// The second pass: counts become weights, and rows go to the pool in order.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "io/build/counting_pass.hpp"
#include "io/build/feature_selection.hpp"
#include "io/build/text_recipe.hpp"
#include "io/pool/write/matrix_writer.hpp"
#include "io/pool/write/scratch_file.hpp"
#include "io/pool/write/sorted_block.hpp"

namespace inkling {

/// A term's feature and its idf.
struct WeightedTerm {
  FeatureId feature = FeatureSelection::none;
  double idf = 0.0;
};

/// Weighs one document after the other: count, idf and norm in double, then rounded.
/// Thread safety: one thread at a time. Lifetime: lends the terms.
class DocumentWeights {
 public:
  DocumentWeights(const TextRecipe& recipe, std::span<const WeightedTerm> terms) noexcept
      : weight_(recipe.weight), norm_(recipe.norm), terms_(terms) {}

  /// Appends the document's features to `entries` as row `row`, in the order of its counts; terms that are no
  /// features are left out.
  void append(std::span<const TermCount> counts, std::uint32_t row, std::vector<BlockEntry>& entries);

 private:
  TermWeight weight_;
  RowNorm norm_;
  std::span<const WeightedTerm> terms_;
  std::vector<FeatureId> features_;  // of one document; their size is what there is room for
  std::vector<double> values_;
};

/// Reads the counted segments back, weighs them in parallel and appends the rows to `matrix` in order.
/// `memory`: bytes that blocks in flight may use together. `progress(entries)` is called
/// by one thread at a time.
void weigh_corpus(const ScratchFile& counts, std::span<const CountedSegment> segments,
                  const TextRecipe& recipe, std::span<const WeightedTerm> terms, std::int32_t features,
                  std::uint64_t memory, MatrixWriter& matrix,
                  const std::function<void(std::int64_t entries)>& progress);

/// How often each term occurs in all documents together.
[[nodiscard]] std::vector<std::uint64_t> count_occurrences(const ScratchFile& counts,
                                                           std::span<const CountedSegment> segments,
                                                           std::size_t terms);

}  // namespace inkling
