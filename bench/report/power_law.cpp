#include "bench/report/power_law.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/core/portable_math.hpp"

namespace inkling::bench {

std::optional<PowerLaw> fit_power_law(std::span<const double> x, std::span<const double> y) {
  assert(x.size() == y.size());
  struct LogPoint {
    double x;
    double y;
  };
  const auto has_logarithm = [](double number) { return std::isnormal(number) && number > 0.0; };
  std::vector<LogPoint> points;
  for (std::size_t n = 0; n < x.size(); ++n)
    if (has_logarithm(x[n]) && has_logarithm(y[n])) points.push_back({natural_log(x[n]), natural_log(y[n])});
  const auto count = static_cast<double>(points.size());
  LogPoint middle{0.0, 0.0};
  for (const LogPoint& point : points) middle = {middle.x + point.x / count, middle.y + point.y / count};
  double spread = 0.0;
  double together = 0.0;
  for (const LogPoint& point : points) {
    spread += (point.x - middle.x) * (point.x - middle.x);
    together += (point.x - middle.x) * (point.y - middle.y);
  }
  if (points.size() < 2 || !(spread > 1e-20)) return std::nullopt;

  PowerLaw law{.exponent = together / spread};
  if (points.size() == 2) return law;
  double squares = 0.0;
  for (const LogPoint& point : points) {
    const double residual = point.y - middle.y - law.exponent * (point.x - middle.x);
    squares += residual * residual;
  }
  law.standard_error = std::sqrt(squares / (count - 2.0) / spread);
  return law;
}

}  // namespace inkling::bench
