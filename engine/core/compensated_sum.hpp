// A sum that keeps the bits that addition drops.
#pragma once

#include <cmath>

namespace inkling {

/// Neumaier's variant of Kahan's sum: after n additions the error is that of one rounding, not of n.
class CompensatedSum {
 public:
  CompensatedSum() noexcept = default;
  explicit CompensatedSum(double start) noexcept : sum_(start) {}

  void add(double term) noexcept {
    const double next = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }

  [[nodiscard]] double value() const noexcept { return sum_ + lost_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;
};

}  // namespace inkling
