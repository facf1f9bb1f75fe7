// The results of a programme, as the files from which pages are drawn and which other programs read.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bench/studies/figure.hpp"

namespace inkling::bench {

/// A figure that was run. Lifetime: lends its entry of the programme's table, as below.
struct FigureOutcome {
  const Figure* figure = nullptr;  ///< never null, as below
  FigureReport report;
  std::vector<StudyResult> studies;
  double seconds = 0.0;  ///< that it took, with its studies
};

/// A requested figure that has not been run.
struct LeftOut {
  const Figure* figure = nullptr;
  std::string why;     ///< in whole sentences: what is missing
  std::string remedy;  ///< in whole sentences: what to do so that it is run
};

struct ProgrammeRun {
  const Programme* programme = nullptr;  ///< never null
  PaperSettings settings;
  std::vector<FigureOutcome> figures;  ///< in the programme's order, as below
  std::vector<LeftOut> left_out;
  std::vector<std::pair<std::string, std::string>> machine;  ///< name and value of every fact
  std::string command;                                       ///< as it was given
  double seconds = 0.0;
};

/// The number of claims with each verdict.
struct VerdictCounts {
  std::size_t holds = 0;
  std::size_t fails = 0;
  std::size_t not_comparable = 0;

  [[nodiscard]] std::size_t all() const { return holds + fails + not_comparable; }
};

/// Counts the claims of a run that the paper makes, or those that are ours.
[[nodiscard]] VerdictCounts count_verdicts(const ProgrammeRun& run, ClaimBy whose);

/// The name of a chart in CSV files, and of its picture: "two-stage", "two-stage-tuning".
[[nodiscard]] std::string chart_name(const Figure& figure, const FigureChart& chart);

/// The points of all charts, as bench/report/report.hpp says. Deterministic.
[[nodiscard]] std::string figure_csv(const Figure& figure, const FigureReport& report);

/// summary.json: one JSON object and a newline, in the form that README.md describes.
[[nodiscard]] std::string summary_json(const ProgrammeRun& run);

}  // namespace inkling::bench
