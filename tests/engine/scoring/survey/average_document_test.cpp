#include "engine/scoring/survey/average_document.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/compensated_sum.hpp"
#include "engine/core/random_stream.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling {
namespace {

using test::between;

/// The plain twin: adds one value after the other, over all pools.
AverageDocument plainly_averaged(std::span<const CsrView> pools) {
  AverageDocument average;
  double documents = 0.0;
  for (const CsrView& pool : pools) documents += static_cast<double>(pool.columns());
  for (FeatureId feature = 0; feature < pools.front().rows(); ++feature) {
    CompensatedSum sum;
    for (const CsrView& pool : pools)
      for (const float value : pool.row(feature).values) sum.add(static_cast<double>(value));
    const auto mean = static_cast<float>(sum.value() / documents);
    if (mean == 0.0F) continue;
    average.features.push_back(feature);
    average.values.push_back(mean);
  }
  return average;
}

/// Values whose sums often lie between two floats; all positive, or of both signs.
CsrMatrix rows_to_average(std::int32_t documents, std::int32_t features, bool both_signs, RandomStream& random) {
  std::vector<test::RowOfEntries> rows(static_cast<std::size_t>(features));
  for (test::RowOfEntries& row : rows) {
    const int kind = between(0, 3, random);
    for (DocumentId document = 0; document < documents; ++document) {
      if (random.coin(0.3)) continue;
      double value = random.uniform();
      if (kind == 1) value = std::ldexp(1.0, between(-30, 2, random));
      if (kind == 2) value = random.coin(0.1) ? 0.0 : 1.0 + 0x1p-23 * between(0, 1, random);
      if (kind == 3) value = std::pow(10.0, between(-44, 37, random));
      row.push_back({document, static_cast<float>(both_signs && random.coin(0.5) ? -value : value)});
    }
  }
  return test::matrix_of(documents, rows);
}

TEST_CASE("the average document has the bits of compensated sums at any number of threads") {
  test::each_case(921, 200, [&](RandomStream& random) {
    const std::int32_t features = between(1, 700, random);
    const bool both_signs = random.coin(0.3);
    std::vector<CsrMatrix> pools;
    std::vector<CsrView> views;
    for (int n = between(1, 3, random); n > 0; --n)
      pools.push_back(rows_to_average(between(1, 60, random), features, both_signs, random));
    views.reserve(pools.size());
    for (const CsrMatrix& pool : pools) views.push_back(pool.view());
    const AverageDocument expected = plainly_averaged(views);
    for (const int threads : {1, 4}) {
      const AverageDocument found = test::with_threads(threads, [&] { return average_document(views); });
      CHECK(found.features == expected.features);
      CHECK(found.values == expected.values);
    }
  });
}

TEST_CASE("the average without some documents is that of pools that do not hold them") {
  test::each_case(922, 100, [&](RandomStream& random) {
    const std::int32_t features = between(1, 90, random);
    std::vector<CsrMatrix> pools;
    std::vector<CsrMatrix> less;
    std::vector<std::int64_t> left_out;
    std::int64_t first = 0;
    for (int n = between(1, 3, random); n > 0; --n) {
      const std::int32_t documents = between(2, 50, random);
      pools.push_back(rows_to_average(documents, features, random.coin(0.3), random));
      std::vector<std::int32_t> place(static_cast<std::size_t>(documents), -1);
      std::int32_t kept = 0;
      for (std::size_t document = 0; document < place.size(); ++document)
        if (random.coin(0.3))
          left_out.push_back(first + static_cast<std::int64_t>(document));
        else
          place[document] = kept++;
      std::vector<test::RowOfEntries> rows(static_cast<std::size_t>(features));
      for (FeatureId feature = 0; feature < features; ++feature) {
        const SparseRow postings = pools.back().view().row(feature);
        for (std::size_t at = 0; at < postings.size(); ++at)
          if (const std::int32_t row = place[static_cast<std::size_t>(postings.features[at])]; row >= 0)
            rows[static_cast<std::size_t>(feature)].push_back({row, postings.values[at]});
      }
      less.push_back(test::matrix_of(kept, rows));
      first += documents;
    }
    std::vector<CsrView> views;
    std::vector<CsrView> less_views;
    for (const CsrMatrix& pool : pools) views.push_back(pool.view());
    for (const CsrMatrix& pool : less) less_views.push_back(pool.view());
    const AverageDocument expected = average_document(less_views);
    const AverageDocument found = average_document(
        views, [] {}, left_out);
    CHECK(found.features == expected.features);
    CHECK(found.values == expected.values);
  });
}

TEST_CASE("the average document has the features that at least one document in a thousand holds") {
  constexpr std::int32_t documents = 2'500;
  std::vector<test::RowOfEntries> rows;
  for (const int holders : {0, 1, 2, 3, 2'500}) {
    rows.emplace_back();
    for (int n = 0; n < holders; ++n) rows.back().push_back({n, 1.0F});
  }
  const CsrMatrix pool = test::matrix_of(documents, rows);
  const AverageDocument average = average_document(pool.view());
  CHECK(average.features == std::vector<FeatureId>{3, 4});
  CHECK(average.values == std::vector<float>{3.0F / 2'500.0F, 1.0F});
}

TEST_CASE("the average of no pools is empty") {
  CHECK(average_document({}, [] {}).features.empty());
}

}  // namespace
}  // namespace inkling
