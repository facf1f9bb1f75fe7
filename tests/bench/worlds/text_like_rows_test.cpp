#include "bench/worlds/text_like_rows.hpp"

#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

namespace inkling::bench {

TEST_CASE("Zipf frequencies fall, stay below one half and add up to the words of a row") {
  const std::vector<double> frequencies = zipf_frequencies(200, 8.0);

  CHECK(std::ranges::is_sorted(frequencies, std::ranges::greater{}));
  CHECK(frequencies.front() <= 0.5);
  CHECK(std::accumulate(frequencies.begin(), frequencies.end(), 0.0) == doctest::Approx(8.0));
}

TEST_CASE("banded frequencies stay in their band") {
  RandomStream random(1, 0, RandomRole::pool);

  for (const double frequency : banded_frequencies(500, {0.01, 0.3}, random)) {
    CHECK(frequency >= 0.01);
    CHECK(frequency <= 0.3);
  }
}

TEST_CASE("a word of frequency 1 is in every row, a word of frequency 0 in none, and weights are floats") {
  RandomStream random(1, 0, RandomRole::pool);
  RestrictedRows buffer;
  const std::vector<double> frequencies = {1.0, 0.0, 1.0};

  const RestrictedRow row = draw_row(frequencies, random, buffer);

  REQUIRE(row.size() == 2);
  CHECK(row.positions[0] == 0);
  CHECK(row.positions[1] == 2);
  for (const double weight : row.values) {
    CHECK(weight >= 0.05);
    CHECK(weight <= 0.5);
    CHECK(static_cast<double>(static_cast<float>(weight)) == weight);
  }
}

TEST_CASE("documents are the same for the same seed") {
  const std::vector<double> frequencies = zipf_frequencies(50, 5.0);
  RandomStream one(7, 0, RandomRole::pool);
  RandomStream other(7, 0, RandomRole::pool);

  const CsrMatrix left = draw_documents(100, frequencies, one);
  const CsrMatrix right = draw_documents(100, frequencies, other);

  CHECK(left.view().rows() == 100);
  CHECK(left.view().columns() == 50);
  CHECK(std::ranges::equal(left.view().features(), right.view().features()));
  CHECK(std::ranges::equal(left.view().values(), right.view().values()));
}

}  // namespace inkling::bench
