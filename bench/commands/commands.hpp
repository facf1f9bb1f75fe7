// The commands of the program `inkling-bench`, each in a source file of its own. `paper` and `beyond`, which
// run figures, are made by programme_command.hpp.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling::bench {

/// The main job shown in a few seconds, for a person who sees the program for the first time.
[[nodiscard]] Command demo_command();

/// Simulated readers search a pool by one or more policies.
[[nodiscard]] Command simulate_command();

/// Synthetic text of any size, for programs that read text.
[[nodiscard]] Command corpus_command();

/// The speed from text to a pool, stage by stage, and beside another program's.
[[nodiscard]] Command ingest_command();

/// How the cost of a round grows.
[[nodiscard]] Command scale_command();

/// Our policies and other programs on one pool.
[[nodiscard]] Command race_command();

}  // namespace inkling::bench
