#include "bench/report/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace inkling {
namespace {

/// The least and the greatest of the finite values seen so far.
class FiniteRange {
 public:
  void include(std::span<const double> values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    }
  }

  /// Zero joins a range that lies near it, because a length can be read only from there.
  [[nodiscard]] Axis axis() const {
    const bool just_above = low_ > 0 && low_ < high_ / 2;
    const bool just_below = high_ < 0 && high_ > low_ / 2;
    return {just_above ? 0 : low_, just_below ? 0 : high_};
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

std::string with_thousands(std::string digits) {
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  std::size_t at = std::min(digits.find('.'), digits.size());
  while (at > first + 3) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

int decimals_of_step(double step) {
  // The nudge keeps a step of 0.001, which is a little less in binary, at three decimals.
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

/// A value among values that are `step` apart: "0.25", "12,000", "1.5M", "2e-07".
std::string tick_label(double value, double step) {
  const double size = std::max(std::abs(value), step);
  constexpr double million = 1e6;
  if (size >= million && size < 1000 * million && step >= million / 1000) {
    if (value == 0) return "0";
    return with_thousands(fmt::format("{:.{}f}", value / million, decimals_of_step(step / million))) + "M";
  }
  if (size >= 1000 * million || step < 1e-4) return fmt::format("{:.6g}", value);
  return with_thousands(fmt::format("{:.{}f}", value, decimals_of_step(step)));
}

}  // namespace

Axis::Axis(double low, double high) : low_(low), high_(high) {
  if (!std::isfinite(low) || !std::isfinite(high) || low > high) {
    low_ = 0;
    high_ = 1;
  }
  // Beyond this, differences and steps leave the range of double.
  constexpr double limit = 1e300;
  low_ = std::clamp(low_, -limit, limit);
  high_ = std::clamp(high_, -limit, limit);
  // A constant, or what rounding makes of one.
  const double size = std::max(std::abs(low_), std::abs(high_));
  const double least_length = size > 0 ? size * 1e-9 : 1;
  if (high_ - low_ < least_length) {
    const double around = size > 0 ? size / 2 : 1;
    high_ += around;
    low_ -= size > 0 ? around : 0;
  }
}

std::vector<Tick> Axis::ticks(int most) const {
  const double step = nice_step(high_ - low_, most);
  // An end that rounding moved just outside is still an end.
  const double slack = 1e-9;
  const double last = std::floor(high_ / step + slack);
  std::vector<Tick> ticks;
  for (double index = std::ceil(low_ / step - slack); index <= last; ++index) {
    const double value = index * step + 0.0;
    ticks.push_back({value, tick_label(value, step)});
  }
  return ticks;
}

Axis Axis::widened(int most) const {
  const double step = nice_step(high_ - low_, most);
  return {std::floor(low_ / step + 1e-9) * step, std::ceil(high_ / step - 1e-9) * step};
}

Axis x_axis_of(const LineChart& chart) {
  FiniteRange range;
  for (const Series& series : chart.series) range.include(series.x);
  return range.axis();
}

Axis y_axis_of(const LineChart& chart) {
  FiniteRange range;
  for (const Series& series : chart.series) {
    range.include(series.y);
    range.include(series.low);
    range.include(series.high);
  }
  return range.axis();
}

double nice_step(double length, int most) {
  const double least = length / std::max(most, 1);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= least * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

}  // namespace inkling
