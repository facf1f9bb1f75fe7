// How long a build in parts is likely to take: a prediction from rates that were measured, and no promise.
#pragma once

#include <cstdint>
#include <string>

#include "io/parts/shards/build_plan.hpp"

namespace inkling {

/// Bytes of text that one core handles in a second: the first pass and the whole build in bench/speed/RESULTS.md. Packed sources
/// take longer, by as much as they unpack.
struct JobRates {
  double counting = 450e6;  ///< inkling parts count
  double building = 188e6;  ///< inkling parts build, from the text; kept rows make it faster
};

/// Work and the longest part of it, in seconds of one core. Merging counts, starting programs and moving files come on
/// top.
struct JobPrediction {
  double work = 0.0;          ///< all parts, both steps
  double longest_part = 0.0;  ///< counting and building one part: more cores do not make it shorter

  /// A lower bound on the time if this many cores share the parts. Requires: cores > 0.
  [[nodiscard]] double seconds_on(int cores) const;
};

[[nodiscard]] JobPrediction predicted_job(const BuildPlan& plan, const JobRates& rates = {});

/// "45 s", "12 min", "3.5 h".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace inkling
