#include "io/search/simulation/synthetic_pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include "bench/report/power_law.hpp"
#include "engine/core/portable_math.hpp"
#include "tests/support/engine/with_threads.hpp"

namespace inkling::bench {
namespace {

CsrMatrix documents_of(const SyntheticPoolOptions& options, std::uint64_t seed = 3) {
  RandomStream random(seed, 0, RandomRole::pool);
  return synthetic_documents(options, random);
}

/// Whether some length makes the values whole numbers that add up to `words`.
bool are_counts_of(SparseRow row, int words) {
  for (int squares = 1; squares <= words * words; ++squares) {
    double sum = 0.0;
    double off = 0.0;
    for (const float value : row.values) {
      const double count = static_cast<double>(value) * std::sqrt(static_cast<double>(squares));
      sum += std::round(count);
      off = std::max(off, std::fabs(count - std::round(count)));
    }
    if (off < 1e-5 && sum == words) return true;
  }
  return false;
}

TEST_CASE("synthetic documents are rows of counts at unit length that add up to the drawn words") {
  const CsrMatrix documents = documents_of({200, 40, 8, 0.0});
  REQUIRE(documents.view().rows() == 200);
  REQUIRE(documents.view().columns() == 40);
  for (DocumentId i = 0; i < 200; ++i) {
    const SparseRow row = documents.view().row(i);
    CHECK(squared_norm(row) == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(are_counts_of(row, 8));
  }
}

TEST_CASE("uniform words are equally frequent and Zipf words less so with their rank") {
  const PoolMatrix uniform(documents_of({4000, 10, 4, 0.0}));
  const PoolMatrix zipf(documents_of({4000, 10, 4, 1.0}));
  const auto frequency = [](const PoolMatrix& pool, FeatureId feature) {
    return static_cast<double>(pool.view().by_feature.row(feature).size());
  };
  for (FeatureId j = 1; j < 10; ++j) {
    CHECK(frequency(uniform, j) == doctest::Approx(frequency(uniform, 0)).epsilon(0.1));
    CHECK(frequency(zipf, j) < frequency(zipf, j - 1) + 60.0);
  }
  CHECK(frequency(zipf, 0) > 4.0 * frequency(zipf, 9));
}

TEST_CASE("zipf words like those of a large vocabulary leave about 85 different ones a document") {
  const CsrMatrix documents = documents_of({500, 47757, 110, 1.07});
  const double per_row = static_cast<double>(documents.view().nonzeros()) / 500.0;
  CHECK(per_row > 75.0);
  CHECK(per_row < 95.0);
}

SyntheticPoolOptions sphere(std::int32_t documents, std::int32_t features) {
  return {.documents = documents, .features = features, .rows = SyntheticRows::sphere};
}

TEST_CASE("points of the sphere have unit length and hold every feature") {
  const CsrMatrix documents = documents_of(sphere(200, 40));
  REQUIRE(documents.view().rows() == 200);
  REQUIRE(documents.view().columns() == 40);
  for (DocumentId i = 0; i < 200; ++i) {
    const SparseRow row = documents.view().row(i);
    REQUIRE(row.size() == 40);
    CHECK(squared_norm(row) == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(std::ranges::count(row.values, 0.0F) == 0);
  }
}

TEST_CASE("points of the sphere have no preferred direction") {
  const int points = 20000;
  const CsrMatrix documents = documents_of(sphere(points, 3));
  // On the sphere in three dimensions each coordinate is uniform in [-1, 1] (Archimedes).
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> coordinates;
    for (DocumentId i = 0; i < points; ++i) coordinates.push_back(static_cast<double>(documents.view().row(i).values[j]));
    std::ranges::sort(coordinates);
    double furthest = 0.0;
    for (std::size_t n = 0; n < coordinates.size(); ++n) {
      const double expected = 2.0 * (static_cast<double>(n) + 0.5) / points - 1.0;
      furthest = std::max(furthest, std::fabs(coordinates[n] - expected));
    }
    CAPTURE(j);
    CHECK(furthest < 0.03);  // Kolmogorov and Smirnov: beyond 2 * 1.9 / sqrt(points) once in a thousand
  }
}

TEST_CASE("rows of word counts are those that the program has always drawn") {
  const CsrMatrix documents = documents_of({3, 40, 8, 0.0}, 1);
  CHECK(std::ranges::equal(documents.view().row(0).features, std::vector<FeatureId>{0, 5, 8, 19, 28, 30, 38}));
  CHECK(std::ranges::equal(documents.view().row(2).features, std::vector<FeatureId>{2, 7, 13, 14, 26, 31, 32, 38}));
}

TEST_CASE("features within a band are those whose document frequency lies in it") {
  CsrMatrix documents(3);
  const std::vector<FeatureId> both = {0, 1};
  const std::vector<FeatureId> first = {0};
  documents.append_row({both, std::vector<float>{1.0F, 1.0F}});
  documents.append_row({first, std::vector<float>{1.0F}});
  const PoolMatrix pool(std::move(documents));
  CHECK(features_within(pool.view(), {0.0, 1.0}) == std::vector<FeatureId>{0, 1});
  CHECK(features_within(pool.view(), {0.5, 0.5}) == std::vector<FeatureId>{1});
  CHECK(features_within(pool.view(), {0.6, 1.0}) == std::vector<FeatureId>{0});
}

TEST_CASE("drawn features are distinct and every candidate is as likely as another") {
  std::vector<FeatureId> candidates(6);
  std::iota(candidates.begin(), candidates.end(), 10);
  std::vector<int> drawn(6, 0);
  RandomStream random(1, 0, RandomRole::target);
  for (int n = 0; n < 6000; ++n) {
    const std::vector<FeatureId> two = draw_features(candidates, 2, random);
    REQUIRE(two.size() == 2);
    REQUIRE(two[0] < two[1]);
    for (const FeatureId feature : two) ++drawn[static_cast<std::size_t>(feature - 10)];
  }
  for (const int count : drawn) CHECK(std::abs(count - 2000) < 200);
}

TEST_CASE("the truth has the given norm on the relevant features and is 0 elsewhere") {
  RandomStream random(1, 0, RandomRole::target);
  const std::vector<double> truth = draw_truth(6, {1, 4}, 2.5, random);
  CHECK(std::hypot(truth[1], truth[4]) == doctest::Approx(2.5));
  for (const std::size_t j : {0U, 2U, 3U, 5U}) CHECK(truth[j] == 0.0);
}

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
