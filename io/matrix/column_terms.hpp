// The terms that name the columns of a matrix, and the order that they ask for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/ids.hpp"

namespace inkling {

/// Reads a file with one term a line, in order of the columns. Throws FormatError ("FILE:LINE:1") for terms
/// that are empty, not UTF-8, or there twice, and SystemError.
class ColumnTerms {
 public:
  explicit ColumnTerms(const std::string& path);

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(feature_of_column_.size()); }
  /// Ascending.
  [[nodiscard]] const std::vector<std::string>& terms() const { return terms_; }
  /// The place of each column's term among them.
  [[nodiscard]] const std::vector<FeatureId>& feature_of_column() const { return feature_of_column_; }

 private:
  std::vector<std::string> terms_;
  std::vector<FeatureId> feature_of_column_;
};

}  // namespace inkling
