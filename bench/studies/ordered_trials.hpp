// Many trials at once, whose outcomes come back in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

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
  // A trial takes the place of the one `under_way` before it, which has left the last stage by then. The
  // pipeline only passes numbers: what it holds itself is lost where a stage throws.
  std::vector<Outcome> places(under_way);
  const auto place_of = [&](std::int64_t trial) -> Outcome& {
    return places[static_cast<std::size_t>(trial) % under_way];
  };
  const auto begin = [&](tbb::flow_control& control) -> std::int64_t {
    if (next < first + trials) return next++;
    control.stop();
    return first;
  };
  const auto run_one = [&](std::int64_t trial) {
    place_of(trial) = run(trial);
    return trial;
  };
  const auto collect_one = [&](std::int64_t trial) { collect(trial, std::move(place_of(trial))); };
  tbb::parallel_pipeline(
      under_way, tbb::make_filter<void, std::int64_t>(tbb::filter_mode::serial_in_order, begin) &
                     tbb::make_filter<std::int64_t, std::int64_t>(tbb::filter_mode::parallel, run_one) &
                     tbb::make_filter<std::int64_t, void>(tbb::filter_mode::serial_in_order, collect_one));
}

}  // namespace inkling::bench
