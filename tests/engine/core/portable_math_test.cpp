#include "engine/core/portable_math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "tests/support/engine/ulps.hpp"

namespace inkling {
namespace {

using test::ulps_between;

/// The <cmath> value, computed in long double and rounded once.
double cmath_log(double x) { return static_cast<double>(std::log(static_cast<long double>(x))); }
double cmath_log1p(double x) { return static_cast<double>(std::log1p(static_cast<long double>(x))); }
double cmath_exp(double x) { return static_cast<double>(std::exp(static_cast<long double>(x))); }

/// The largest distance in ulps over count points from first on.
template <typename Function, typename Twin, typename Step>
std::int64_t worst_ulps(Function function, Twin twin, double first, int count, Step next) {
  std::int64_t worst = 0;
  double x = first;
  for (int n = 0; n < count; ++n, x = next(x)) worst = std::max(worst, ulps_between(function(x), twin(x)));
  return worst;
}

TEST_CASE("the logarithm is that of cmath within two ulps from the smallest normal to the largest number") {
  const auto grow = [](double x) { return x * 1.0143; };
  CHECK(worst_ulps(natural_log, cmath_log, std::numeric_limits<double>::min(), 99'000, grow) <= 2);
  CHECK(ulps_between(natural_log(std::numeric_limits<double>::max()), cmath_log(std::numeric_limits<double>::max())) <= 2);
}

TEST_CASE("the logarithm is that of cmath within two ulps around one and around the square root of a half") {
  const auto step = [](double x) { return x + 1.7e-5; };
  CHECK(worst_ulps(natural_log, cmath_log, 0.5, 100'000, step) <= 2);
  const auto tiny_step = [](double x) { return std::nextafter(x, 2.0); };
  CHECK(worst_ulps(natural_log, cmath_log, 1.0 - 1e-13, 2000, tiny_step) <= 2);
  CHECK(worst_ulps(natural_log, cmath_log, 0.7071067811865, 2000, tiny_step) <= 2);
}

TEST_CASE("the logarithm is exact where it can be") {
  CHECK(natural_log(1.0) == 0.0);
  CHECK(natural_log(2.0) == 0.69314718055994530942);
  CHECK(natural_log(2.718281828459045) == 1.0);
}

TEST_CASE("the logarithm of one plus x is that of cmath within three ulps") {
  const auto step = [](double x) { return x + 2.3e-5; };
  CHECK(worst_ulps(natural_log_plus_one, cmath_log1p, -0.999, 130'000, step) <= 3);
  const auto grow = [](double x) { return x * 1.017; };
  CHECK(worst_ulps(natural_log_plus_one, cmath_log1p, 1e-300, 80'000, grow) <= 3);
  CHECK(worst_ulps(natural_log_plus_one, cmath_log1p, -1e-300, 40'000, grow) <= 3);
}

TEST_CASE("the logarithm of one plus x keeps a small x whole") {
  CHECK(natural_log_plus_one(0.0) == 0.0);
  CHECK(natural_log_plus_one(1e-300) == 1e-300);
  CHECK(natural_log_plus_one(-1e-20) == -1e-20);
}

TEST_CASE("the exponential is that of cmath within two ulps and ends in zero and in infinity") {
  const auto step = [](double x) { return x + 0.01417; };
  CHECK(worst_ulps(exponential, cmath_exp, -708.0, 100'000, step) <= 2);
  const auto small_step = [](double x) { return x + 1.3e-5; };
  CHECK(worst_ulps(exponential, cmath_exp, -1.0, 150'000, small_step) <= 2);

  CHECK(exponential(0.0) == 1.0);
  CHECK(exponential(-1e300) == 0.0);
  CHECK(exponential(-std::numeric_limits<double>::infinity()) == 0.0);
  CHECK(exponential(710.0) == std::numeric_limits<double>::infinity());
  CHECK(exponential(std::numeric_limits<double>::infinity()) == std::numeric_limits<double>::infinity());
}

TEST_CASE("the normal quantile has the values of the tables") {
  struct Known {
    double p, z;
  };
  for (const Known& known :
       {Known{0.5, 0.0}, Known{0.975, 1.959963984540054}, Known{0.995, 2.5758293035489004}, Known{0.9999, 3.719016485455709},
        Known{1e-10, -6.361340902404056}, Known{1e-300, -37.0470962993612}, Known{0.2, -0.8416212335729143}}) {
    CAPTURE(known.p);
    CHECK(std::fabs(normal_quantile(known.p) - known.z) <= 2e-13 * std::fabs(known.z));
  }
}

TEST_CASE("the normal quantile is odd and rises across the seams of its three pieces") {
  for (const double p : {0.01, 0.0749999, 0.075, 0.0750001, 0.25, 0.49}) {
    CAPTURE(p);
    CHECK(normal_quantile(1.0 - p) == doctest::Approx(-normal_quantile(p)).epsilon(1e-13));
  }
  double previous = normal_quantile(1e-14);
  for (double p = 1.1e-14; p < 0.9999; p = p < 0.01 ? p * 1.001 : p + 1e-4) {
    const double next = normal_quantile(p);
    REQUIRE(next > previous);
    previous = next;
  }
}

}  // namespace
}  // namespace inkling
