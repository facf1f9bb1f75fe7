// How the cost of a round grows along one axis, with the plain way beside ours in the same run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/speed/timed_run.hpp"

namespace inkling::bench {

/// What grows while the rest stays.
enum class ScaleAxis { documents, features, relevant, length, threads, rounds };

inline constexpr ScaleAxis kScaleAxes[] = {ScaleAxis::documents, ScaleAxis::features, ScaleAxis::relevant,
                                           ScaleAxis::length,    ScaleAxis::threads,  ScaleAxis::rounds};

[[nodiscard]] std::string_view name_of(ScaleAxis axis);

/// One pool and one way to search it.
struct ScalePoint {
  std::int32_t documents = 30'000;
  std::int32_t features = 100'000;
  std::int32_t relevant = 100;
  std::int32_t tokens = 150;  ///< a document, on average
  std::int32_t threads = 1;
  std::int64_t rounds = 2000;
};

/// How much is measured.
enum class Effort { full, quick };

[[nodiscard]] ScalePoint usual_point(Effort effort);

/// The same point with another place on the axis. Rounds are as many as documents at most.
[[nodiscard]] ScalePoint at(ScalePoint point, ScaleAxis axis, std::int64_t value);
[[nodiscard]] std::int64_t value_at(const ScalePoint& point, ScaleAxis axis);

/// The places that are measured; those of `threads` end at what this process may use.
[[nodiscard]] std::vector<std::int64_t> usual_values(ScaleAxis axis, Effort effort, int available_threads);

/// Whether every choice is compared with a full scan from nothing.
enum class Checking { off, on };

struct StudyOptions {
  FrequencyBand frequency = {0.01, 0.3};  ///< of the relevant features
  std::uint64_t seed = 1;
  double rescoring_seconds = 1.0;
  Checking checking = Checking::off;
};

/// One policy with one scoring at one point.
struct ScaleCell {
  Discovery discovery = Discovery::marked;
  Scoring scoring = Scoring::sublinear;
  std::int64_t rounds = 0;  ///< of the run
  RoundTimes times = {};
  double setup_seconds = 0.0;
  double scored_a_round = 0.0;  ///< documents, in order to choose; all of them but for sublinear scoring
  std::int32_t features_found = 0;
  std::optional<std::uint64_t> peak_bytes = {};
  /// Of choices made, those that are not the sublinear ones; nothing for those themselves.
  std::optional<std::int64_t> differences = {};
  std::optional<ChoiceCheck> check = {};  ///< where checking is on, of the sublinear choices
};

struct MeasuredPoint {
  ScaleAxis axis = ScaleAxis::documents;
  ScalePoint point = {};
  std::int64_t nonzeros = 0;
  std::uint64_t pool_bytes = 0;
  double pool_seconds = 0.0;  ///< to make the pool
  std::vector<ScaleCell> cells = {};
};

/// Called as work goes on, between rounds, never by two threads at once; throws to end the study.
struct StudyListener {
  std::function<void()> check_interruption = [] {};
  std::function<void()> cell_done = [] {};
};

/// The cells of a point: policies times scorings.
inline constexpr std::int64_t kCellsAPoint = 6;

/// Throws FormatError where the pool has fewer features within the band than shall be relevant.
[[nodiscard]] MeasuredPoint measure_point(ScaleAxis axis, const ScalePoint& point,
                                          const StudyOptions& options, const StudyListener& listener);

}  // namespace inkling::bench
