// Writes the two layouts of the matrix of a pool that is made from text.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/row_sorter.hpp"
#include "io/corpus/from_text/waiting_columns.hpp"
#include "io/corpus/pool/write/matrix_writer.hpp"

namespace inkling {

/// Consecutive rows, features ascending in each, and the same entries in the form in which they wait to become columns.
struct WeighedRows {
  std::vector<std::uint32_t> row_sizes;
  std::vector<FeatureId> features;  ///< of all rows; its size may be more
  std::vector<float> values;        ///< the same
  std::size_t entries = 0;
  ColumnsOfBlock columns;
};

/// indptr, indices, data and by_feature/* of a pool. Columns are formed at the end, in bounded memory. The bytes written
/// do not depend on limit or threads. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class TextMatrixWriter {
 public:
  /// `feature_counts`: how many rows hold each feature, exactly; `idf`: by feature. `memory`: bytes it may use beside
  /// its rows.
  TextMatrixWriter(PoolStaging& staging, const TextRecipe& recipe, std::vector<std::int64_t> feature_counts,
                   std::vector<double> idf, std::uint64_t memory);

  [[nodiscard]] const FeatureRanges& ranges() const noexcept { return ranges_; }
  [[nodiscard]] const WaitingColumns& columns() const noexcept { return columns_; }

  /// In order of rows. Throws FormatError beyond the most rows that a pool can have.
  void append(const WeighedRows& block);

  /// Writes by_feature/*, in parallel; `advance(n)` receives how many non-zeros were written. Closes all files.
  /// Throws std::logic_error if the entries that came were not as many as `feature_counts` says.
  void finish(const std::function<void(std::int64_t)>& advance);

 private:
  FeatureRanges ranges_;
  MatrixFiles files_;
  WaitingColumns columns_;
};

}  // namespace inkling
