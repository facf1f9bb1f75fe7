#include "tests/support/engine/test_pool.hpp"

#include <array>
#include <numeric>

namespace inkling::test {
namespace {

float random_value(const RandomPoolOptions& options, RandomStream& random) {
  const double mantissa = 0.5 + random.uniform();
  if (options.degenerate && random.coin(0.08)) return 0.0F;
  if (!options.wild_values) return static_cast<float>(mantissa);
  constexpr std::array<double, 5> magnitudes = {1e-3, 0.1, 1.0, 30.0, 1e3};
  const double magnitude = magnitudes.at(random.below(magnitudes.size()));
  return static_cast<float>(random.coin(0.3) ? -mantissa * magnitude : mantissa * magnitude);
}

RowOfEntries random_row(const RandomPoolOptions& options, RandomStream& random) {
  RowOfEntries row;
  for (FeatureId feature = 0; feature < options.features; ++feature)
    if (random.coin(options.density)) row.push_back({feature, random_value(options, random)});
  return row;
}

RowOfEntries degenerate_row(const RandomPoolOptions& options, const std::vector<RowOfEntries>& before, RandomStream& random) {
  switch (random.below(3)) {
    case 0: return {};
    case 1: return {{between(0, options.features - 1, random), random_value(options, random)}};
    default: return before.empty() ? RowOfEntries{} : before[random.below(before.size())];
  }
}

}  // namespace

CsrMatrix matrix_of(std::int32_t columns, const std::vector<RowOfEntries>& rows) {
  CsrMatrix matrix(columns);
  std::vector<FeatureId> features;
  std::vector<float> values;
  for (const RowOfEntries& row : rows) {
    features.clear();
    values.clear();
    for (const Entry& entry : row) {
      features.push_back(entry.feature);
      values.push_back(entry.value);
    }
    matrix.append_row({features, values});
  }
  return matrix;
}

PoolMatrix pool_of(std::int32_t features, const std::vector<RowOfEntries>& documents) {
  return PoolMatrix(matrix_of(features, documents));
}

CsrMatrix random_matrix(const RandomPoolOptions& options, RandomStream& random) {
  std::vector<RowOfEntries> rows;
  for (std::int32_t i = 0; i < options.documents; ++i) {
    const bool awkward = options.degenerate && random.coin(0.3);
    rows.push_back(awkward ? degenerate_row(options, rows, random) : random_row(options, random));
  }
  return matrix_of(options.features, rows);
}

PoolMatrix random_pool(const RandomPoolOptions& options, RandomStream& random) {
  return PoolMatrix(random_matrix(options, random));
}

std::int32_t between(std::int32_t low, std::int32_t high, RandomStream& random) {
  return low + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(high - low) + 1));
}

std::vector<std::int32_t> all_up_to(std::int32_t count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<std::int32_t> shuffled(std::int32_t count, RandomStream& random) {
  std::vector<std::int32_t> order = all_up_to(count);
  for (std::int32_t i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(between(0, i, random))]);
  return order;
}

RandomStream stream_for(std::uint64_t seed, std::uint64_t trial) { return {seed, trial, RandomRole::pool}; }

}  // namespace inkling::test
