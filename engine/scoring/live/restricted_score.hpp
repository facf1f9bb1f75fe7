// The mean and the width of a document from the relevant features it holds, with V^-1 at hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "engine/model/kept_inverse.hpp"
#include "engine/scoring/live/relevant_rows.hpp"
#include "engine/scoring/ranking.hpp"

namespace inkling {

/// An upper bound on a document's score, as a function of the reach: mean + reach * width (ScoreDrift::reach).
struct ReachLine {
  double mean = 0.0;
  double width = 0.0;

  [[nodiscard]] double at_most(double reach) const noexcept { return mean + reach * width; }
};

/// Scores rows with the current model. The cost of a row is the square of its entries. Lifetime: lends the model, which
/// may not change as long as this lives. Thread safety: as any value.
class RestrictedScore {
 public:
  /// For a model that keeps V^-1: its theta, V^-1 and ridge.
  RestrictedScore(std::span<const double> theta, const KeptInverse& inverse, double ridge, double radius) noexcept
      : theta_(theta), inverse_(inverse), radius_(radius), slack_(kSlack / ridge) {}

  [[nodiscard]] double radius() const noexcept { return radius_; }
  [[nodiscard]] std::span<const double> theta() const noexcept { return theta_; }

  /// mean + radius * width.
  [[nodiscard]] double score(std::span<const RelevantEntry> x) const noexcept {
    const Parts parts = of(x);
    return optimism(parts.mean, parts.square, radius_);
  }

  /// The line of the current score. Its width is rounded up, because a square near 0 has a large rounding error.
  [[nodiscard]] ReachLine line(std::span<const RelevantEntry> x) const noexcept {
    const Parts parts = of(x);
    return {parts.mean, std::sqrt(std::max(parts.square, 0.0) + slack_ * parts.norm_square)};
  }

 private:
  /// Rounding error of a squared width, relative to |x|^2 / lambda, the value before anything is learned.
  static constexpr double kSlack = 1e-12;

  struct Parts {
    double mean = 0.0;
    double square = 0.0;
    double norm_square = 0.0;
  };

  [[nodiscard]] Parts of(std::span<const RelevantEntry> x) const noexcept {
    Parts parts;
    parts.square = quadratic_form(
        x.size(), [&](std::size_t n) { return x[n].position; }, [&](std::size_t n) { return static_cast<double>(x[n].value); },
        [&](std::size_t a) { return inverse_.row(a).data(); },
        [&](std::size_t a, double value) {
          parts.mean += value * theta_[a];
          parts.norm_square += value * value;
        });
    return parts;
  }

  std::span<const double> theta_;
  const KeptInverse& inverse_;
  double radius_;
  double slack_;
};

}  // namespace inkling
