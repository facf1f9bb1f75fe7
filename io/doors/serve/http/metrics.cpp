#include "io/doors/serve/http/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace inkling {
namespace {

constexpr double kBucketGrowth = 1.25;

}  // namespace

RouteMetrics::RouteMetrics(std::vector<std::string> routes) : routes_(std::move(routes)), counts_(routes_.size()) {}

void RouteMetrics::count(std::size_t route, int status, std::chrono::nanoseconds took) noexcept {
  const double microseconds = std::max(std::chrono::duration<double, std::micro>(took).count(), 1.0);
  const double bucket = std::ceil(std::log(microseconds) / std::log(kBucketGrowth));
  const auto digit = static_cast<std::size_t>(std::clamp(status / 100, 0, 5));
  counts_[route].by_status[digit].fetch_add(1, std::memory_order_relaxed);
  counts_[route].by_time[static_cast<std::size_t>(std::min(bucket, static_cast<double>(buckets - 1)))].fetch_add(
      1, std::memory_order_relaxed);
}

double RouteMetrics::quantile(const Counts& counts, double share) {
  std::uint64_t all = 0;
  for (const auto& bucket : counts.by_time) all += bucket.load(std::memory_order_relaxed);
  std::uint64_t passed = 0;
  for (std::size_t n = 0; n < buckets; ++n) {
    passed += counts.by_time[n].load(std::memory_order_relaxed);
    if (static_cast<double>(passed) >= share * static_cast<double>(all))
      return std::pow(kBucketGrowth, static_cast<double>(n)) / 1e6;
  }
  return 0.0;
}

std::string RouteMetrics::text() const {
  std::string lines = "# TYPE inkling_requests_total counter\n";
  std::string times = "# TYPE inkling_request_seconds gauge\n";
  for (std::size_t n = 0; n < routes_.size(); ++n) {
    bool is_used = false;
    for (std::size_t digit = 0; digit < counts_[n].by_status.size(); ++digit) {
      const std::uint64_t count = counts_[n].by_status[digit].load(std::memory_order_relaxed);
      if (count == 0) continue;
      is_used = true;
      lines += fmt::format("inkling_requests_total{{route=\"{}\",status=\"{}xx\"}} {}\n", routes_[n], digit, count);
    }
    if (!is_used) continue;
    for (const double share : {0.5, 0.99, 1.0}) {
      times += fmt::format("inkling_request_seconds{{route=\"{}\",quantile=\"{}\"}} {:.6f}\n", routes_[n], share,
                           quantile(counts_[n], share));
    }
  }
  return lines + times;
}

}  // namespace inkling
