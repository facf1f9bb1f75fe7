#include "io/parts/shards/job_prediction.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace inkling {

double JobPrediction::seconds_on(int cores) const { return std::max(work / static_cast<double>(cores), longest_part); }

JobPrediction predicted_job(const BuildPlan& plan, const JobRates& rates) {
  const double seconds_a_byte = 1.0 / rates.counting + 1.0 / rates.building;
  JobPrediction prediction;
  for (const PlanPart& part : plan.parts) {
    const double seconds = static_cast<double>(part.bytes()) * seconds_a_byte;
    prediction.work += seconds;
    prediction.longest_part = std::max(prediction.longest_part, seconds);
  }
  return prediction;
}

std::string duration_text(double seconds) {
  constexpr double minute = 60.0;
  constexpr double hour = 3600.0;
  if (seconds < 2.0 * minute) return fmt::format("{:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
  if (seconds < 2.0 * hour) return fmt::format("{:.0f} min", seconds / minute);
  return fmt::format("{:.1f} h", seconds / hour);
}

}  // namespace inkling
