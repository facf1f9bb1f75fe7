// The commands of the program `inkling`, each in a source file of its own.
#pragma once

#include "io/cli/command_line.hpp"

namespace inkling {

/// Text, or a ready-made matrix, becomes a pool.
[[nodiscard]] Command build_command();

/// What is in a pool, at a glance.
[[nodiscard]] Command info_command();

/// Whether a pool is still what was written.
[[nodiscard]] Command verify_command();

/// A pool in the formats of other programs.
[[nodiscard]] Command export_command();

/// What a person's events make of every document of a pool.
[[nodiscard]] Command score_command();

/// Which build this is and what it runs on.
[[nodiscard]] Command about_command();

}  // namespace inkling
