#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "bench/report/power_law.hpp"
#include "bench/worlds/synthetic_pool.hpp"
#include "engine/core/portable_math.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench {
namespace {

ZipfPoolOptions some_options() { return {.documents = 5000, .features = 2000, .mean_tokens = 60.0, .seed = 3}; }

std::vector<std::int64_t> document_frequencies(const PoolMatrix& pool) {
  std::vector<std::int64_t> frequencies;
  for (FeatureId j = 0; j < pool.view().features(); ++j)
    frequencies.push_back(static_cast<std::int64_t>(pool.view().by_feature.row(j).size()));
  return frequencies;
}

TEST_CASE("rows have unit length and words that ascend") {
  const PoolMatrix pool = make_zipf_pool(some_options());
  CHECK(pool.view().documents() == 5000);
  CHECK(pool.view().features() == 2000);
  for (DocumentId i = 0; i < pool.view().documents(); ++i) {
    const SparseRow row = pool.view().by_document.row(i);
    REQUIRE_FALSE(row.empty());
    REQUIRE(squared_norm(row) == doctest::Approx(1.0).epsilon(1e-5));
  }
  CHECK(bytes_of(pool.view()) ==
        static_cast<std::uint64_t>(pool.view().by_document.nonzeros()) * 16 + (5001 + 2001) * sizeof(std::int64_t));
}

TEST_CASE("frequencies of words fall by Zipf's law") {
  // Of rare words, document frequencies are about the numbers of draws.
  const std::vector<std::int64_t> frequencies = document_frequencies(make_zipf_pool(some_options()));
  std::vector<double> ranks;
  std::vector<double> drawn;
  constexpr std::size_t first = 40;
  constexpr std::size_t last = 1000;
  for (std::size_t rank = first; rank < last; rank += 20) {
    double sum = 0.0;
    for (std::size_t j = rank; j < rank + 20; ++j) sum += static_cast<double>(frequencies[j]);
    ranks.push_back(static_cast<double>(rank) + 10.5);
    drawn.push_back(sum);
  }
  const PowerLaw law = *fit_power_law(ranks, drawn);
  CHECK(law.exponent == doctest::Approx(-1.07).epsilon(0.04));
}

TEST_CASE("documents have the requested mean length") {
  ZipfPoolOptions options = some_options();
  options.zipf = 0.0;
  options.features = 1'000'000;  // so many words that few are drawn twice
  const PoolMatrix pool = make_zipf_pool(options);
  const double words = static_cast<double>(pool.view().by_document.nonzeros()) / 5000.0;
  CHECK(words == doctest::Approx(60.0).epsilon(0.03));
}

TEST_CASE("the first documents of a larger pool have the words of a smaller one") {
  ZipfPoolOptions options = some_options();
  const PoolMatrix large = make_zipf_pool(options);
  options.documents = 777;
  const PoolMatrix small = make_zipf_pool(options);
  const auto idf = [](const PoolMatrix& pool, FeatureId j) {
    const auto frequency = static_cast<double>(pool.view().by_feature.row(j).size());
    return natural_log((1.0 + pool.view().documents()) / (1.0 + frequency)) + 1.0;
  };
  for (DocumentId i = 0; i < 777; ++i) {
    const SparseRow one = small.view().by_document.row(i);
    const SparseRow other = large.view().by_document.row(i);
    REQUIRE(std::ranges::equal(one.features, other.features));
    // Weights without idf are counts divided by a length, so their ratios are those of the counts.
    for (std::size_t n = 1; n < one.size(); ++n) {
      const double in_small = one.values[n] / idf(small, one.features[n]) * idf(small, one.features[0]) / one.values[0];
      const double in_large = other.values[n] / idf(large, one.features[n]) * idf(large, one.features[0]) / other.values[0];
      REQUIRE(in_small == doctest::Approx(in_large).epsilon(1e-5));
    }
  }
}

TEST_CASE("a pool has the same bits at any number of threads and others with another seed") {
  ZipfPoolOptions options = some_options();
  options.documents = 9000;  // three blocks
  const PoolMatrix one = inkling::test::with_threads(1, [&] { return make_zipf_pool(options); });
  for (const int threads : {2, 8}) {
    const PoolMatrix other = inkling::test::with_threads(threads, [&] { return make_zipf_pool(options); });
    CHECK(std::ranges::equal(one.view().by_document.features(), other.view().by_document.features()));
    CHECK(std::ranges::equal(one.view().by_document.values(), other.view().by_document.values()));
    CHECK(std::ranges::equal(one.view().by_feature.values(), other.view().by_feature.values()));
  }
  options.seed = 4;
  const PoolMatrix another = make_zipf_pool(options);
  CHECK_FALSE(std::ranges::equal(one.view().by_document.features(), another.view().by_document.features()));
}

}  // namespace
}  // namespace inkling::bench
