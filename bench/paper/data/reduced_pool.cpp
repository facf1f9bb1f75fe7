#include "bench/paper/data/reduced_pool.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "bench/worlds/synthetic_pool.hpp"

namespace inkling::bench {
namespace {

constexpr FeatureId kLeftOut = -1;

/// The new number of each feature of the whole pool.
std::vector<FeatureId> numbers_in(const std::vector<FeatureId>& kept, std::int32_t features) {
  std::vector<FeatureId> numbers(static_cast<std::size_t>(features), kLeftOut);
  for (std::size_t n = 0; n < kept.size(); ++n)
    numbers[static_cast<std::size_t>(kept[n])] = static_cast<FeatureId>(n);
  return numbers;
}

void scale_to_unit(std::span<float> values) {
  double squares = 0.0;
  for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
  if (squares <= 0.0) return;
  const double length = std::sqrt(squares);
  for (float& value : values) value = static_cast<float>(static_cast<double>(value) / length);
}

CsrMatrix reduced_rows(CsrView whole, const std::vector<FeatureId>& kept, RowLength length) {
  const std::vector<FeatureId> numbers = numbers_in(kept, whole.columns());
  std::vector<std::int64_t> offsets = {0};
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (std::int32_t i = 0; i < whole.rows(); ++i) {
    const SparseRow row = whole.row(i);
    const std::size_t begin = values.size();
    for (std::size_t n = 0; n < row.size(); ++n) {
      const FeatureId number = numbers[static_cast<std::size_t>(row.features[n])];
      if (number == kLeftOut) continue;
      features.push_back(number);
      values.push_back(row.values[n]);
    }
    if (length == RowLength::unit) scale_to_unit(std::span(values).subspan(begin));
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {static_cast<std::int32_t>(kept.size()), std::move(offsets), std::move(features), std::move(values)};
}

}  // namespace

std::vector<FeatureId> ReducedPool::reduced(std::span<const FeatureId> features) const {
  std::vector<FeatureId> numbers;
  for (const FeatureId feature : features) {
    const auto found = std::ranges::lower_bound(kept, feature);
    if (found != kept.end() && *found == feature)
      numbers.push_back(static_cast<FeatureId>(found - kept.begin()));
  }
  return numbers;
}

CsrMatrix ReducedPool::reduced(CsrView rows) const { return reduced_rows(rows, kept, RowLength::as_it_was); }

ReducedPool reduced_pool(PoolView whole, std::vector<FeatureId> kept, RowLength length) {
  assert(std::ranges::adjacent_find(kept, std::ranges::greater_equal()) == kept.end());
  CsrMatrix matrix = reduced_rows(whole.by_document, kept, length);
  return {PoolMatrix(std::move(matrix)), std::move(kept)};
}

std::vector<FeatureId> with_others_at_random(PoolView whole, std::span<const FeatureId> wanted,
                                             std::int32_t count, RandomStream& random) {
  assert(static_cast<std::size_t>(count) >= wanted.size() && count <= whole.features());
  std::vector<FeatureId> others;
  others.reserve(static_cast<std::size_t>(whole.features()) - wanted.size());
  auto next = wanted.begin();
  for (FeatureId feature = 0; feature < whole.features(); ++feature) {
    if (next != wanted.end() && *next == feature) {
      ++next;
    } else {
      others.push_back(feature);
    }
  }
  const auto missing = count - static_cast<std::int32_t>(wanted.size());
  const std::vector<FeatureId> drawn = draw_features(std::move(others), missing, random);
  std::vector<FeatureId> all;
  all.reserve(static_cast<std::size_t>(count));
  std::ranges::merge(wanted, drawn, std::back_inserter(all));
  return all;
}

}  // namespace inkling::bench
