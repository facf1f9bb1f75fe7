// How many requests each route answered, and how long they took.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inkling {

/// Thread safety: any number of threads.
class RouteMetrics {
 public:
  /// Names as they are shown, such as "GET /api/v1/pools".
  explicit RouteMetrics(std::vector<std::string> routes);

  /// Requires: one of the routes, by its place.
  void count(std::size_t route, int status, std::chrono::nanoseconds took) noexcept;

  /// In the text format of Prometheus: requests by route and first digit of the status, and the times within which half of them,
  /// 99 of 100, and the slowest were answered. A time may be up to a quarter too high.
  [[nodiscard]] std::string text() const;

 private:
  // Bucket n holds what took at most 1.25^n microseconds; the last one all that took longer.
  static constexpr std::size_t buckets = 80;
  struct Counts {
    std::array<std::atomic<std::uint64_t>, 6> by_status = {};  // the first digit
    std::array<std::atomic<std::uint64_t>, buckets> by_time = {};
  };

  [[nodiscard]] static double quantile(const Counts& counts, double share);

  std::vector<std::string> routes_;
  std::vector<Counts> counts_;
};

}  // namespace inkling
