// Processes pieces in parallel; reads them in order and delivers them in order.
#pragma once

#include <cassert>
#include <cstddef>
#include <exception>
#include <vector>

#include <tbb/parallel_pipeline.h>

namespace inkling {

/// Takes pieces through three stages. `read(place)` puts the next piece into a place and returns false at the end; it is called
/// for one piece at a time, in order. `work(place)` is called for several pieces at once. `hand_on(place)` is called for one
/// piece at a time, in the order in which they were read.
///
/// Piece n uses place n modulo `places.size()`, once the earlier piece in that place was handed on. So at most that many pieces
/// are in memory at a time, and their memory is reused.
///
/// An exception of `read` or `work` is thrown again when its piece would be handed on, so the first failure is the same
/// for any number of threads. An exception of `hand_on` ends everything at once. Requires: at least one place.
template <typename Place, typename Read, typename Work, typename HandOn>
void ordered_pipeline(std::vector<Place>& places, const Read& read, const Work& work, const HandOn& hand_on) {
  assert(!places.empty());
  std::vector<std::exception_ptr> failures(places.size());
  std::size_t pieces = 0;
  bool failed_to_read = false;
  // TBB passes only the numbers of places, because it leaks the objects that it passes when a stage throws.
  const auto read_next = [&](tbb::flow_control& control) -> std::size_t {
    const std::size_t place = pieces++ % places.size();
    failures[place] = nullptr;
    try {
      if (failed_to_read || !read(places[place])) control.stop();
    } catch (...) {
      failed_to_read = true;
      failures[place] = std::current_exception();
    }
    return place;
  };
  const auto work_on = [&](std::size_t place) {
    if (failures[place]) return place;
    try {
      work(places[place]);
    } catch (...) {
      failures[place] = std::current_exception();
    }
    return place;
  };
  const auto hand_on_next = [&](std::size_t place) {
    if (failures[place]) std::rethrow_exception(failures[place]);
    hand_on(places[place]);
  };
  using tbb::filter_mode;
  tbb::parallel_pipeline(places.size(), tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, read_next) &
                                            tbb::make_filter<std::size_t, std::size_t>(filter_mode::parallel, work_on) &
                                            tbb::make_filter<std::size_t, void>(filter_mode::serial_in_order, hand_on_next));
}

}  // namespace inkling
