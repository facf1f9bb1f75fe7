// Times short calls by their median, repeating them as long as a budget lasts.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace inkling::bench {

using Seconds = std::chrono::duration<double>;

/// The seconds of one call of `work()`.
template <typename Work>
[[nodiscard]] double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

/// The upper median. Requires: not empty.
[[nodiscard]] inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// The median seconds of a call of `work()`: after a first call that warms up, calls are timed in batches
/// long enough for the clock, until the budget is spent and there are three. A call as long as the budget is
/// timed once.
template <typename Work>
[[nodiscard]] double median_seconds(Seconds budget, const Work& work) {
  constexpr double batch_seconds = 2e-5;
  constexpr std::size_t fewest = 3;
  const double first = seconds_of(work);
  if (first >= budget.count()) return first;
  const double second = seconds_of(work);
  const auto calls =
      std::max(std::int64_t{1}, static_cast<std::int64_t>(batch_seconds / std::max(second, 1e-9)));
  std::vector<double> samples;
  for (double spent = 0.0; spent < budget.count() || samples.size() < fewest;) {
    const double batch = seconds_of([&] {
      for (std::int64_t n = 0; n < calls; ++n) work();
    });
    spent += batch;
    samples.push_back(batch / static_cast<double>(calls));
  }
  return median(std::move(samples));
}

}  // namespace inkling::bench
