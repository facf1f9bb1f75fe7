#include "bench/worlds/synthetic_pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

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
  SyntheticPoolOptions options;
  options.documents = documents;
  options.features = features;
  options.rows = SyntheticRows::sphere;
  return options;
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

}  // namespace
}  // namespace inkling::bench
