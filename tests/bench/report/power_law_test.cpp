#include "bench/report/power_law.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling::bench {
namespace {

const std::vector<double> kSizes = {10, 30, 100, 300, 1000, 3000};

std::vector<double> powers(double factor, double exponent) {
  std::vector<double> values;
  for (const double size : kSizes) values.push_back(factor * std::pow(size, exponent));
  return values;
}

TEST_CASE("An exact power law is found without an error") {
  for (const double exponent : {-1.0, 0.0, 0.5, 1.0, 2.25}) {
    CAPTURE(exponent);
    const std::optional<PowerLaw> law = fit_power_law(kSizes, powers(3.0, exponent));
    REQUIRE(law);
    CHECK(law->exponent == doctest::Approx(exponent));
    CHECK(*law->standard_error < 1e-12);
  }
}

TEST_CASE("The standard error says how far noise moves the exponent") {
  constexpr int repeats = 400;
  constexpr double sigma = 0.1;
  RandomStream random(5, 0, RandomRole::reward);
  int within_two = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    std::vector<double> values = powers(2.0, 0.7);
    for (double& value : values) value *= std::exp(sigma * random.normal());
    const PowerLaw law = *fit_power_law(kSizes, values);
    if (std::fabs(law.exponent - 0.7) < 2.0 * *law.standard_error) ++within_two;
  }
  // Student's t with 4 degrees of freedom lies within 2 in 88 % of cases.
  CHECK(within_two > 0.82 * repeats);
  CHECK(within_two < 0.94 * repeats);
}

TEST_CASE("Two points give an exponent without an error and fewer give nothing") {
  const std::optional<PowerLaw> two = fit_power_law(std::vector{1.0, 100.0}, std::vector{5.0, 50.0});
  REQUIRE(two);
  CHECK(two->exponent == doctest::Approx(0.5));
  CHECK_FALSE(two->standard_error);
  CHECK_FALSE(fit_power_law(std::vector{3.0}, std::vector{5.0}));
  CHECK_FALSE(fit_power_law(std::vector<double>{}, std::vector<double>{}));
  CHECK_FALSE(fit_power_law(std::vector{3.0, 3.0, 3.0}, std::vector{5.0, 6.0, 7.0}));
}

TEST_CASE("Points without a logarithm are left out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::optional<PowerLaw> law =
      fit_power_law(std::vector{1.0, 0.0, 10.0, 20.0, 30.0, 100.0}, std::vector{1.0, 7.0, -1.0, nan, infinity, 10.0});
  REQUIRE(law);
  CHECK_FALSE(law->standard_error);  // two points are left
  CHECK(law->exponent == doctest::Approx(0.5));
}

}  // namespace
}  // namespace inkling::bench
