#include "bench/report/label_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace inkling {
namespace {

// Labels that touch: `count` of them, the first at first_place().
struct Cluster {
  double sum_of_first_places;  // where each label would like the cluster to begin
  std::size_t count;

  [[nodiscard]] double first_place(double gap, double low, double high) const {
    const double ideal = sum_of_first_places / static_cast<double>(count);
    const double latest = high - static_cast<double>(count - 1) * gap;
    return std::max(low, std::min(ideal, latest));
  }
};

}  // namespace

std::vector<double> spread_labels(std::span<const double> wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t label) { return wanted[label]; });

  std::vector<Cluster> clusters;
  for (const std::size_t label : order) {
    clusters.push_back({.sum_of_first_places = wanted[label], .count = 1});
    while (clusters.size() > 1) {
      const Cluster last = clusters.back();
      Cluster& before = clusters[clusters.size() - 2];
      const double offset = static_cast<double>(before.count) * gap;
      if (last.first_place(gap, low, high) >= before.first_place(gap, low, high) + offset) break;
      before.sum_of_first_places += last.sum_of_first_places - offset * static_cast<double>(last.count);
      before.count += last.count;
      clusters.pop_back();
    }
  }

  std::vector<double> places(wanted.size());
  std::size_t at = 0;
  for (const Cluster& cluster : clusters) {
    const double first = cluster.first_place(gap, low, high);
    for (std::size_t i = 0; i < cluster.count; ++i) {
      places[order[at++]] = first + static_cast<double>(i) * gap;
    }
  }
  return places;
}

}  // namespace inkling
