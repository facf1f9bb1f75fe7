// Many trials at once, whose outcomes come back in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tbb/task_arena.h>

#include "engine/core/ordered_pipeline.hpp"

namespace inkling::bench {

/// Calls run(trial) for each trial from `first` on, in parallel, and collect(trial, outcome) for each of them
/// in order, one at a time. What either throws ends it.
template <typename Run, typename Collect>
void run_in_order(std::int64_t first, std::int64_t trials, const Run& run, const Collect& collect) {
  using Outcome = decltype(run(first));
  std::int64_t next = first;
  // Twice as many trials under way as threads: so none idles while outcomes wait for their turn, and memory
  // is bounded.
  const auto under_way = 2 * static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  struct Place {
    std::int64_t trial = 0;
    Outcome outcome = {};
  };
  std::vector<Place> places(under_way);
  ordered_pipeline(
      places,
      [&](Place& place) {
        place.trial = next++;
        return place.trial < first + trials;
      },
      [&](Place& place) { place.outcome = run(place.trial); },
      [&](Place& place) { collect(place.trial, std::move(place.outcome)); });
}

}  // namespace inkling::bench
