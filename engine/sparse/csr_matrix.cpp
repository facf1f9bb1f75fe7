#include "engine/sparse/csr_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

/// The check of `check_csr` for one row, without a branch for each entry.
bool is_good_row(std::int32_t columns, SparseRow row) noexcept {
  if (row.features.size() != row.values.size()) return false;
  const std::span<const FeatureId> features = row.features.unchecked();
  unsigned bad = 0;
  for (const FeatureId feature : features) bad |= feature < 0 || feature >= columns ? 1U : 0U;
  for (std::size_t n = 1; n < features.size(); ++n) bad |= features[n] <= features[n - 1] ? 1U : 0U;
  for (const float value : row.values) bad |= std::fabs(value) <= std::numeric_limits<float>::max() ? 0U : 1U;
  return bad == 0;
}

}  // namespace

CsrMatrix::CsrMatrix(std::int32_t columns) : columns_(columns), offsets_{0} { check_csr(columns_, offsets_, features_, values_); }

CsrMatrix::CsrMatrix(std::int32_t columns, std::vector<std::int64_t> offsets, std::vector<FeatureId> features,
                     std::vector<float> values)
    : columns_(columns), offsets_(std::move(offsets)), features_(std::move(features)), values_(std::move(values)) {
  check_csr(columns_, offsets_, features_, values_);
}

void check_row(std::int32_t columns, SparseRow row) {
  if (is_good_row(columns, row)) return;
  const std::array<std::int64_t, 2> row_offsets = {0, static_cast<std::int64_t>(row.features.size())};
  check_csr(columns, row_offsets, row.features, row.values);  // says what is bad
}

void CsrMatrix::append_row(SparseRow row) {
  // The copy is checked, because the row may lie in memory that others write to.
  const std::span<const FeatureId> features = row.features.unchecked();
  const std::size_t before = values_.size();
  features_.insert(features_.end(), features.begin(), features.end());
  values_.insert(values_.end(), row.values.begin(), row.values.end());
  try {
    check_row(columns_, {std::span(features_).subspan(before), std::span(values_).subspan(before)});
  } catch (const FormatError&) {
    features_.resize(before);
    values_.resize(before);
    throw;
  }
  offsets_.push_back(static_cast<std::int64_t>(values_.size()));
}

CsrMatrix transposed(CsrView matrix) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(matrix.columns()) + 1, 0);
  for (const FeatureId column : matrix.features()) ++offsets[static_cast<std::size_t>(column) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());

  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<std::int32_t> rows(matrix.values().size());
  std::vector<float> values(matrix.values().size());
  for (std::int32_t i = 0; i < matrix.rows(); ++i) {
    const SparseRow row = matrix.row(i);
    for (std::size_t n = 0; n < row.size(); ++n) {
      // The feature may have changed since it was counted (`IdView`), so the place is limited.
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(row.features[n])]++);
      const std::size_t to = std::min(place, rows.size() - 1);
      rows[to] = i;
      values[to] = row.values[n];
    }
  }
  return {matrix.rows(), std::move(offsets), std::move(rows), std::move(values)};
}

}  // namespace inkling
