#include "bench/report/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

namespace inkling {
namespace {

// The least and greatest of the values seen so far that an axis can show.
class Range {
 public:
  explicit Range(AxisScale scale) : scale_(scale) {}

  void include(std::span<const double> values) {
    for (const double value : values) {
      if (!std::isfinite(value) || (scale_ == AxisScale::logarithmic && value <= 0)) continue;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    }
  }

  // Zero joins a linear range that lies near it, for a length can be read only from there.
  [[nodiscard]] Axis axis() const {
    if (scale_ == AxisScale::logarithmic) return {low_, high_, scale_};
    const bool just_above = low_ > 0 && low_ < high_ / 2;
    const bool just_below = high_ < 0 && high_ > low_ / 2;
    return {just_above ? 0 : low_, just_below ? 0 : high_, scale_};
  }

 private:
  AxisScale scale_;
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

int decimals_of(double step) {
  // The nudge keeps a step of 0.001, which is a little less in binary, at three decimals.
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

// "0.0078", "3", "2,048": three digits of a positive number, or more where it is large.
std::string three_digits(double value) {
  constexpr double thousand = 1000;
  if (value < thousand) return fmt::format("{:.3g}", value);
  return tick_label(value, std::pow(10.0, std::floor(std::log10(value)) - 2));
}

constexpr std::array whole_powers = {1};
constexpr std::array between_powers = {1, 2, 5};

}  // namespace

Axis::Axis(double low, double high, AxisScale scale) : low_(low), high_(high), scale_(scale) {
  // Beyond this, differences and steps leave the range of double.
  constexpr double limit = 1e300;
  const bool usable = std::isfinite(low) && std::isfinite(high) && low <= high;
  if (!usable) {
    low_ = scale == AxisScale::linear ? 0 : 1;
    high_ = scale == AxisScale::linear ? 1 : 10;
  }
  if (scale_ == AxisScale::logarithmic) {
    low_ = std::clamp(low_, 1 / limit, limit);
    high_ = std::clamp(high_, low_, limit);
    if (high_ < low_ * 1.001) high_ = low_ * 10;
    return;
  }
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

bool Axis::shows(double value) const {
  return std::isfinite(value) && (scale_ == AxisScale::linear || value > 0);
}

double Axis::position(double value) const {
  if (scale_ == AxisScale::linear) return (value - low_) / (high_ - low_);
  return (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

std::vector<Tick> Axis::ticks(int most) const {
  return scale_ == AxisScale::linear ? linear_ticks(most) : logarithmic_ticks(most);
}

std::vector<Tick> Axis::linear_ticks(int most) const {
  const double step = nice_step(high_ - low_, most);
  // An end that rounding moved just outside is still an end.
  const double slack = 1e-9;
  const double first = std::ceil(low_ / step - slack);
  const double last = std::floor(high_ / step + slack);
  std::vector<Tick> ticks;
  for (double index = first; index <= last; ++index) {
    const double value = index * step + 0.0;
    ticks.push_back({value, tick_label(value, step)});
  }
  return ticks;
}

std::vector<Tick> Axis::logarithmic_ticks(int most) const {
  const int first = static_cast<int>(std::floor(std::log10(low_)));
  const int last = static_cast<int>(std::ceil(std::log10(high_)));
  const int stride = std::max(1, (last - first + most) / std::max(most, 1));
  const bool room_between = (last - first) * 3 <= most;
  std::vector<Tick> ticks;
  if (!room_between) ticks = round_values_within(first, last, stride, whole_powers);
  if (ticks.size() < 2) ticks = round_values_within(first, last, stride, between_powers);
  if (ticks.size() >= 2) return ticks;
  // The ends themselves say where the axis is.
  return {{low_, three_digits(low_)}, {high_, three_digits(high_)}};
}

std::vector<Tick> Axis::round_values_within(int first, int last, int stride,
                                            std::span<const int> digits) const {
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    const double power = std::pow(10.0, exponent);
    for (const int digit : digits) {
      const double value = digit * power;
      if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) {
        ticks.push_back({value, tick_label(value, power)});
      }
    }
  }
  return ticks;
}

Axis Axis::widened(int most) const {
  if (scale_ == AxisScale::logarithmic) return *this;
  const double step = nice_step(high_ - low_, most);
  return {std::floor(low_ / step + 1e-9) * step, std::ceil(high_ / step - 1e-9) * step, scale_};
}

Axis x_axis_of(const LineChart& chart) {
  Range range(chart.x_scale);
  for (const Series& series : chart.series) range.include(series.x);
  return range.axis();
}

Axis y_axis_of(const LineChart& chart) {
  Range range(chart.y_scale);
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

std::string tick_label(double value, double step) {
  const double size = std::max(std::abs(value), step);
  constexpr double million = 1e6;
  if (size >= million && size < 1000 * million && step >= million / 1000) {
    return value == 0
               ? "0"
               : with_thousands(fmt::format("{:.{}f}", value / million, decimals_of(step / million))) + "M";
  }
  if (size >= 1000 * million || step < 1e-4) return fmt::format("{:.6g}", value);
  return with_thousands(fmt::format("{:.{}f}", value, decimals_of(step)));
}

}  // namespace inkling
