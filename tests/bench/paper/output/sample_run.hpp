// An invented run of all figures, with numbers as a real one has them.
#pragma once

#include "bench/paper/output/paper_run.hpp"

namespace inkling::bench {

/// Fourteen figures that were run and two that were left out; claims of every verdict; every kind of chart:
/// eight lines, points with bars beside a reference, logarithmic axes, a gap, several charts a figure.
[[nodiscard]] PaperRun sample_run();

}  // namespace inkling::bench
