// The options of a programme of figures and what they mean.
#pragma once

#include <string>

#include "bench/paper/data/paper_data.hpp"
#include "bench/studies/programme_output.hpp"
#include "io/doors/cli/option_table.hpp"

namespace inkling::bench {

/// The values of a command line.
struct ProgrammeRequest {
  ProgrammeRun run;    ///< its programme, settings and command, before anything was run
  DataRequest wanted;  ///< its figures in the programme's order, each once
  std::string folder;
};

[[nodiscard]] OptionTable option_table_of(const Programme& programme);

/// Lifetime: lends the programme. Throws UsageError for a name that no figure has.
[[nodiscard]] ProgrammeRequest request_of(const Programme& programme, const ParsedOptions& options);

}  // namespace inkling::bench
