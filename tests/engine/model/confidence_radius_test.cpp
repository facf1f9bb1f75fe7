#include "engine/model/confidence_radius.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("the confidence radius agrees with a calculation by hand") {
  // delta = e^-2 makes 2 ln(1/delta) = 4; with ln det ratio 5 the root is 3.
  const ConfidenceOptions options{.noise = 0.5, .norm_bound = 2.0, .delta = std::exp(-2.0)};
  CHECK(confidence_radius(5.0, 1.0, options) == doctest::Approx(0.5 * 3.0 + 2.0).epsilon(1e-14));
  CHECK(confidence_radius(5.0, 16.0, options) == doctest::Approx(0.5 * 3.0 + 8.0).epsilon(1e-14));
  CHECK(confidence_radius(0.0, 1.0, options) == doctest::Approx(0.5 * 2.0 + 2.0).epsilon(1e-14));
}

TEST_CASE("the posterior radius grows with the root of the logarithm of the plays") {
  const ConfidenceOptions options{.noise = 0.5, .norm_bound = 2.0, .delta = 0.1};
  CHECK(posterior_radius(0, options) == doctest::Approx(0.5 * std::sqrt(std::log(2.0))).epsilon(1e-14));
  CHECK(posterior_radius(98, options) == doctest::Approx(0.5 * std::sqrt(std::log(100.0))).epsilon(1e-14));
  CHECK(posterior_radius(98, {.noise = 0.0, .norm_bound = 2.0, .delta = 0.1}) == 0.0);
}

TEST_CASE("a confidence radius without noise is that of the norm bound alone") {
  CHECK(confidence_radius(7.0, 4.0, {.noise = 0.0, .norm_bound = 1.5, .delta = 0.1}) == 3.0);
}

TEST_CASE("rounding that leaves ln det a little below zero does not narrow the radius") {
  const ConfidenceOptions options;
  CHECK(confidence_radius(-1e-15, 1.0, options) == confidence_radius(0.0, 1.0, options));
}

}  // namespace
}  // namespace inkling
