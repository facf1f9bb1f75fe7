// The commands of the program `inkling-bench`, a source file each; README.md says what each is for.
#pragma once

#include <string>
#include <string_view>

#include "io/base/sqlite/writer_lock.hpp"
#include "io/doors/cli/command_line.hpp"

namespace inkling::bench {

[[nodiscard]] Command demo_command();
[[nodiscard]] Command simulate_command();
[[nodiscard]] Command corpus_command();
[[nodiscard]] Command ingest_command();
[[nodiscard]] Command scale_command();
[[nodiscard]] Command race_command();

// Shared by several commands.

/// "inkling-bench COMMAND: TEXT" on standard error, safe for a terminal.
void warn(std::string_view command, std::string_view text);

/// Makes the folder if it is missing, and locks it for this run. If another run holds it, throws SystemError, which
/// names that process.
[[nodiscard]] WriterLock held_folder(const std::string& folder);

}  // namespace inkling::bench
