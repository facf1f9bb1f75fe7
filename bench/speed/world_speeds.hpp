// Rounds a second against documents in three kinds of worlds: an easy one, a hard one, and a person's search.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/speed/scale_report.hpp"
#include "bench/speed/timed_run.hpp"
#include "io/base/file/json_writer.hpp"

namespace inkling::bench {

/// What `scale --axis` calls this study.
inline constexpr std::string_view kWorldsAxis = "worlds";

struct WorldSpeedOptions {
  std::vector<std::int64_t> documents;  ///< ascending
  std::int32_t features = 200'000;
  std::int64_t rounds = 2000;  ///< at most; a tenth of them by `inkling`
  std::int64_t repeats = 3;
  std::uint64_t seed = 1;
};

/// One kind of world over all sizes, in rounds a second: the middle run, the slowest and the fastest.
struct WorldSpeed {
  std::string name;
  std::vector<double> documents = {};
  std::vector<double> rate = {};
  std::vector<double> slowest = {};
  std::vector<double> fastest = {};
};

/// The kinds of worlds, without measurements.
[[nodiscard]] std::vector<WorldSpeed> kinds_of_worlds();

/// Adds one size to every kind of world; makes kinds times repeats runs. Throws FormatError if the words of a world are too few
/// for it.
void measure_worlds(std::int64_t documents, const WorldSpeedOptions& options, const RunListener& listener,
                    std::vector<WorldSpeed>& speeds);

/// For a terminal: rounds a second by size, and the power of the documents by which they fall, with its error.
[[nodiscard]] std::string worlds_table(const std::vector<WorldSpeed>& speeds);
/// A figure of summary.json, and its CSV.
void write_worlds(JsonWriter& json, const std::vector<WorldSpeed>& speeds, const WorldSpeedOptions& options);
[[nodiscard]] std::string worlds_csv(const std::vector<WorldSpeed>& speeds);

}  // namespace inkling::bench
