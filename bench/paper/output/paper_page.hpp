// The page of a run of the paper: which claims hold, then a section a figure.
#pragma once

#include <string>

#include "bench/paper/output/paper_run.hpp"

namespace inkling::bench {

/// A self-contained HTML document: all claims at the top, each with a link to its figure; the figures with
/// charts, claims, numbers and settings; what was left out, and what that needs; the machine and the command.
[[nodiscard]] std::string paper_page(const PaperRun& run);

}  // namespace inkling::bench
