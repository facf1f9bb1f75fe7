// All that a run of a programme of figures came to, for whichever writer shows it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bench/commands/programme.hpp"
#include "bench/paper/figure.hpp"
#include "bench/paper/paper_settings.hpp"

namespace inkling::bench {

/// Lifetime: lends its entry of the table of figures, as below.
struct FigureOutcome {
  const Figure* figure = nullptr;  ///< never null, as below
  FigureReport report;
  double seconds = 0.0;  ///< that it took, with what its studies took
};

/// A figure that was asked for and has not been run.
struct LeftOut {
  const Figure* figure = nullptr;
  std::string why;     ///< in whole sentences: what is missing
  std::string remedy;  ///< in whole sentences: what to do so that it is run
};

struct PaperRun {
  const Programme* programme = &paper_programme();  ///< never null
  PaperSettings settings;
  std::vector<FigureOutcome> figures;  ///< in the programme's order, as below
  std::vector<LeftOut> left_out;
  std::vector<std::pair<std::string, std::string>> machine;  ///< name and value of every fact
  std::string command;                                       ///< as it was given
  double seconds = 0.0;
};

}  // namespace inkling::bench
