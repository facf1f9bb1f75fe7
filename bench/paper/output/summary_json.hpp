// What a run of the paper found, for programs.
#pragma once

#include <cstddef>
#include <string>

#include "bench/paper/output/paper_run.hpp"

namespace inkling::bench {

/// How many claims of a run came to which verdict.
struct VerdictCounts {
  std::size_t holds = 0;
  std::size_t fails = 0;
  std::size_t not_comparable = 0;

  [[nodiscard]] std::size_t all() const { return holds + fails + not_comparable; }
};

[[nodiscard]] VerdictCounts count_verdicts(const PaperRun& run);
[[nodiscard]] VerdictCounts count_verdicts(const FigureReport& report);

/// The version of the form below. A program that reads it ignores members that it does not know.
inline constexpr int kSummaryVersion = 1;

/// One JSON object and a newline. Numbers that are not finite are null; the words of a verdict are those of
/// `verdict_text`. Members:
///   summary_version, program_version, command, seconds
///   settings         effort and every number of PaperSettings; `rounds` is null unless given
///   machine          [{name, value}], as are the settings of a figure
///   verdicts         of all figures: {holds, does_not_hold, not_comparable}
///   figures          [{name, title, paper_place, seconds, settings, verdicts, claims}], claims being
///                    [{id, sentence, verdict, numbers: [{name, mean, standard_error}], why}]
///   left_out         [{name, title, paper_place, why, remedy}]
[[nodiscard]] std::string summary_json(const PaperRun& run);

}  // namespace inkling::bench
