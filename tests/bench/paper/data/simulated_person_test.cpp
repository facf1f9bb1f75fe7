#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include "bench/paper/data/movie_reviews.hpp"

namespace inkling::bench {
namespace {

TEST_CASE("a simulated person marks deciding words and others as often as people did") {
  const MarkModel person =
      simulated_person(100, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {.hit = 0.3, .false_mark = 0.1});
  std::vector<FeatureId> features(100);
  std::iota(features.begin(), features.end(), 0);
  const std::vector<float> values(100, 1.0F);
  RandomStream random(3, 0, RandomRole::marks);
  std::vector<FeatureId> marks;
  double hits = 0.0;
  double false_marks = 0.0;
  constexpr int shown = 1000;
  for (int n = 0; n < shown; ++n) {
    person.draw(0, {features, values}, random, marks);
    for (const FeatureId feature : marks) (feature < 10 ? hits : false_marks) += 1.0;
  }
  CHECK(std::fabs(hits / (10.0 * shown) - 0.3) < 0.02);
  CHECK(std::fabs(false_marks / (90.0 * shown) - 0.1) < 0.01);
}

}  // namespace
}  // namespace inkling::bench
