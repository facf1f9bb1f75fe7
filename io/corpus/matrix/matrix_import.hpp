// Makes a pool of a ready-made matrix; its values are kept as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/matrix/matrix_source.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling {

/// Reads a file with one term a line, in order of the columns. Throws FormatError ("FILE:LINE:1") for terms that are
/// empty, not UTF-8, longer than a megabyte or given twice, and if all of them take more than half of the memory. Throws
/// SystemError.
class ColumnTerms {
 public:
  explicit ColumnTerms(const std::string& path, std::uint64_t memory = std::uint64_t{1} << 30U);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(feature_of_column_.size()); }
  /// Ascending.
  [[nodiscard]] const std::vector<std::string>& terms() const { return terms_; }
  /// For each column, the place of its term in terms().
  [[nodiscard]] const std::vector<FeatureId>& feature_of_column() const { return feature_of_column_; }

 private:
  std::vector<std::string> terms_;
  std::vector<FeatureId> feature_of_column_;
};

enum class LabelUse { keep, drop };

struct ImportSummary {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t nonzeros = 0;
  std::int64_t zeros = 0;    ///< zero entries of the source, which were left out
  std::int64_t skipped = 0;  ///< bad records
  std::int64_t links_left_out = 0;
};

struct ImportOptions {
  std::uint64_t memory = std::uint64_t{1} << 30U;  ///< bytes that the process may have resident
  LabelUse labels = LabelUse::keep;
  std::string vocabulary = {};  ///< path of a file with the columns' terms, one a line; none where empty
  PoolOrigin origin = {};
  /// Called when all is read; a throw ends the import.
  std::function<void(const ImportSummary&)> check = [](const ImportSummary&) {};
};

/// The parts of an import, in order.
enum class ImportPhase { read, rows, columns };

/// Receives the progress of an import, from one thread at a time, any thread; a throw ends the import. In `read` it
/// counts bytes of the source, in other phases non-zeros.
using ImportProgress = std::function<void(ImportPhase, std::uint64_t done, std::uint64_t total)>;

/// Publishes the pool: the matrix by row and by column, document frequencies, labels and, if terms are given, the
/// vocabulary. The terms of a pool ascend, so columns are put into the order of their terms. The bytes do not depend on
/// threads or memory. Throws FormatError for bad input, and if the matrix needs more memory than is allowed; throws
/// SystemError. After a throw the staging must be discarded.
[[nodiscard]] ImportSummary import_matrix(
    MatrixSource& source, const ImportOptions& options, PoolStaging& staging,
    const ImportProgress& progress = [](ImportPhase, std::uint64_t, std::uint64_t) {});

}  // namespace inkling
