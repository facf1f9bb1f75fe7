// A pool as Python holds it: a mapped one, or rows that NumPy owns with their
// columns beside them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/corpus/from_text/explanation.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling::python {

/// Thread safety: const after it was made. Lifetime: the caller keeps the
/// arrays of borrowed rows.
class CorePool {
 public:
  /// Throws as Pool::open does.
  CorePool(const std::string& path, PoolTrust trust);

  /// Checks the rows and makes the columns, 8 bytes a non-zero and 8 a
  /// column and row.
  /// Throws FormatError.
  explicit CorePool(CsrView borrowed);

  [[nodiscard]] PoolView view() const noexcept { return view_; }
  /// nullptr if rows were borrowed.
  [[nodiscard]] const Pool* mapped() const noexcept { return pool_ ? &*pool_ : nullptr; }
  /// How its texts were cut into words; the default if it was not made from
  /// text.
  [[nodiscard]] const TextRecipe& recipe() const noexcept { return recipe_; }
  [[nodiscard]] bool is_from_text() const noexcept { return is_from_text_; }
  [[nodiscard]] TermLookup lookup() const;

 private:
  std::optional<Pool> pool_;
  std::vector<std::int64_t> offsets_;  // of borrowed rows: a copy that nobody writes to
  std::optional<CsrMatrix> columns_;
  PoolView view_;
  TextRecipe recipe_;
  bool is_from_text_ = false;
};

/// Rows of texts in the features of a pool.
/// Both lists of copies, for Python.
[[nodiscard]] inline std::pair<std::vector<DocumentId>, std::vector<DocumentId>> lists_of(RowCopies copies) {
  return {{copies.rows.begin(), copies.rows.end()}, {copies.originals.begin(), copies.originals.end()}};
}

struct TextRows {
  std::vector<std::int64_t> offsets = {0};
  std::vector<FeatureId> features;
  std::vector<float> values;
};

/// Weighs the texts as `inkling build --like` does. Requires: a pool that was made from text, texts in UTF-8.
[[nodiscard]] TextRows rows_of_texts(const CorePool& pool, std::span<const std::string> texts);

/// The other parts of a pool made of a matrix: terms ascend, and `order[column]`
/// is the feature of a column.
struct SavedMatrix {
  std::vector<std::string> terms = {};  ///< none, or one a column
  std::vector<FeatureId> order = {};    ///< empty: as it is
  std::vector<std::string> ids = {};
  std::vector<std::string> labels = {};  ///< empty texts where a document has none
  std::vector<std::string> texts = {};
};

/// Writes a pool, whole or not at all. Throws FormatError and SystemError.
void save_matrix(const std::string& path, CsrView rows, const SavedMatrix& with);

}  // namespace inkling::python
