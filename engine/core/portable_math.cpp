#include "engine/core/portable_math.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace inkling {
namespace {

// ln 2 in two parts; the high part has 21 trailing zero bits, so that its product with an exponent is exact.
constexpr double kLog2High = 6.93147180369123816490e-01;
constexpr double kLog2Low = 1.90821492927058770002e-10;
constexpr double kSqrtHalf = 0.70710678118654752440;

template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) noexcept {
  double value = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}

/// ln((1 + z) / (1 - z)) = 2 (z + z^3/3 + z^5/5 + ...). Requires: |z| <= 0.18, where 13 terms reach the last
/// bit.
double log_ratio(double z) noexcept {
  const double square = z * z;
  double tail = 0.0;
  for (int odd = 25; odd >= 3; odd -= 2) tail = (tail + 1.0 / odd) * square;
  return 2.0 * z + 2.0 * z * tail;
}

}  // namespace

double natural_log(double x) noexcept {
  assert(x > 0.0 && std::isfinite(x));
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  if (mantissa < kSqrtHalf) {
    mantissa *= 2.0;
    --exponent;
  }
  const double fraction = log_ratio((mantissa - 1.0) / (mantissa + 1.0));
  return exponent * kLog2High + (exponent * kLog2Low + fraction);
}

double natural_log_plus_one(double x) noexcept {
  assert(x > -1.0 && std::isfinite(x));
  const bool series_converges = x > -0.25 && x < 0.4;
  return series_converges ? log_ratio(x / (2.0 + x)) : natural_log(1.0 + x);
}

double exponential(double x) noexcept {
  if (x > 709.78) return std::numeric_limits<double>::infinity();
  if (x < -708.0) return 0.0;
  const double count = std::floor(x * 1.44269504088896340736 + 0.5);
  const double rest = (x - count * kLog2High) - count * kLog2Low;  // |rest| <= 0.35
  double series = 1.0;
  for (int n = 17; n >= 1; --n) series = 1.0 + series * rest / n;
  return std::ldexp(series, static_cast<int>(count));
}

double normal_quantile(double p) noexcept {
  assert(p > 0.0 && p < 1.0);
  constexpr std::array<double, 8> a = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                       1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                       3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr std::array<double, 8> b = {1.0000000000000000000e0,  4.2313330701600911252e+1, 6.8718700749205790830e+2,
                                       5.3941960214247511077e+3, 2.1213794301586595867e+4, 3.9307895800092710610e+4,
                                       2.8729085735721942674e+4, 5.2264952788528545610e+3};
  constexpr std::array<double, 8> c = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                       3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                       2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array<double, 8> d = {1.0000000000000000000e0,   2.05319162663775882187e0,  1.67638483018380384940e0,
                                       6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                                       5.47593808499534494600e-4, 1.05075007164441684324e-9};
  constexpr std::array<double, 8> e = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                       2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                       2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array<double, 8> f = {1.0000000000000000000e0,   5.99832206555887937690e-1, 1.36929880922735805310e-1,
                                       1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                                       1.42151175831644588870e-7, 2.04426310338993978564e-15};
  const double centred = p - 0.5;
  if (std::fabs(centred) <= 0.425) {
    const double r = 0.180625 - centred * centred;
    return centred * polynomial(a, r) / polynomial(b, r);
  }
  const double tail = std::sqrt(-natural_log(centred < 0.0 ? p : 1.0 - p));
  const double value =
      tail <= 5.0 ? polynomial(c, tail - 1.6) / polynomial(d, tail - 1.6) : polynomial(e, tail - 5.0) / polynomial(f, tail - 5.0);
  return centred < 0.0 ? -value : value;
}

}  // namespace inkling
