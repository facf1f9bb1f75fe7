// How the cost of a round grows along one axis, for the plain method and for ours in the same run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/speed/timed_run.hpp"
#include "engine/core/enum_names.hpp"

namespace inkling::bench {

/// What grows while the rest stays.
enum class ScaleAxis { documents, features, relevant, length, threads, rounds };

inline constexpr EnumName<ScaleAxis> kScaleAxes[] = {{ScaleAxis::documents, "documents"}, {ScaleAxis::features, "features"},
                                                     {ScaleAxis::relevant, "relevant"},   {ScaleAxis::length, "length"},
                                                     {ScaleAxis::threads, "threads"},     {ScaleAxis::rounds, "rounds"}};

/// One pool and one way to search it.
struct ScalePoint {
  std::int64_t documents = 30'000;
  std::int64_t features = 100'000;
  std::int64_t relevant = 100;
  std::int64_t tokens = 150;  ///< words of a document, on average
  std::int64_t threads = 1;
  std::int64_t rounds = 2000;

  /// What grows along the axis.
  [[nodiscard]] std::int64_t& at(ScaleAxis axis);
  [[nodiscard]] std::int64_t at(ScaleAxis axis) const;
};

/// How much is measured.
enum class Effort { full, quick };

[[nodiscard]] ScalePoint usual_point(Effort effort);

/// The same point with another place on the axis. A run has at most as many rounds as documents.
[[nodiscard]] ScalePoint moved(ScalePoint point, ScaleAxis axis, std::int64_t value);

/// The places that are measured; those of `threads` end at what this process may use.
[[nodiscard]] std::vector<std::int64_t> usual_values(ScaleAxis axis, Effort effort, int available_threads);

struct StudyOptions {
  FrequencyBand frequency = {0.01, 0.3};  ///< of the relevant features
  std::uint64_t seed = 1;
  std::int64_t repeats = 3;        ///< runs of each cell; all make the same choices
  double rescoring_seconds = 1.0;  ///< in all repeats together
  bool checking = false;           ///< whether every choice is compared with a full scan from nothing
};

/// One policy with one scoring at one point.
struct ScaleCell : RunFacts {   // of the first run
  std::int64_t rounds = 0;      ///< of each run
  double scored_a_round = 0.0;  ///< documents scored to choose one; only sublinear scoring leaves any out
  RoundTimes times = {};        ///< of the middle run, by its mean round
  double fastest_mean = 0.0;    ///< the mean round of the fastest run, in seconds
  double slowest_mean = 0.0;
  std::optional<ChoiceCheck> check = {};  ///< of the sublinear choices, where checking is on
};

struct MeasuredPoint {
  ScalePoint point = {};
  std::int64_t nonzeros = 0;
  std::uint64_t pool_bytes = 0;
  double pool_seconds = 0.0;  ///< to make the pool
  std::vector<ScaleCell> cells = {};
};

/// The runs of one repeat at a point: policies times scorings.
inline constexpr std::int64_t kRunsAPoint = 6;

/// Throws FormatError if the pool has fewer features within the band than shall be relevant.
[[nodiscard]] MeasuredPoint measure_point(const ScalePoint& point, const StudyOptions& options, const RunListener& listener);

}  // namespace inkling::bench
