// Products of vectors with weights, compared with plain sums.
#include "engine/scoring/scan/vector_means.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include "tests/support/engine/test_vectors.hpp"

namespace inkling {
namespace {

using test::between;

constexpr std::uint64_t kVectorSeed = 1411;

TEST_CASE("a product of whole numbers is their sum, whatever the processor offers") {
  for (std::uint64_t number = 0; number < 3'000; ++number) {
    RandomStream random = test::stream_for(kVectorSeed, number);
    const auto size = static_cast<std::size_t>(random.coin(0.1) ? VectorView::most_dimensions : between(0, 400, random));
    const bool extreme = random.coin(0.3);
    std::vector<std::int8_t> codes;
    std::vector<std::int16_t> weights;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < size; ++k) {
      codes.push_back(static_cast<std::int8_t>(extreme ? -128 : between(-128, 127, random)));
      weights.push_back(static_cast<std::int16_t>(extreme ? -kLargestStep : between(-kLargestStep, kLargestStep, random)));
      sum += std::int64_t{codes[k]} * weights[k];
    }
    REQUIRE(whole_product(codes, weights) == sum);
  }
}

TEST_CASE("a mean is within its margin of the sum by the weights") {
  for (std::uint64_t number = 0; number < 1'000; ++number) {
    RandomStream random = test::stream_for(kVectorSeed, 100'000 + number);
    const std::int32_t dimensions = between(1, 400, random);
    const test::Vectors vectors = test::random_vectors(between(1, 30, random), dimensions, random);
    VectorMeans means({dimensions, vectors.codes, vectors.scales});
    std::vector<double> weights;
    weights.reserve(static_cast<std::size_t>(dimensions));
    const bool none = random.coin(0.05);
    for (std::int32_t k = 0; k < dimensions; ++k)
      weights.push_back(none ? 0.0 : std::ldexp(random.normal(), between(-20, 3, random)));
    means.take(weights);
    for (std::size_t i = 0; i < vectors.scales.size(); ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < weights.size(); ++k)
        sum += static_cast<double>(vectors.scales[i] * static_cast<float>(vectors.codes[i * weights.size() + k])) * weights[k];
      REQUIRE(std::fabs(means[static_cast<DocumentId>(i)] - sum) <= means.margin());
    }
    if (none) REQUIRE(means.margin() == 0.0);
  }
}

}  // namespace
}  // namespace inkling
