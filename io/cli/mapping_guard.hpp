// Ends the program with a message where a mapped file becomes shorter while it is being read.
#pragma once

namespace inkling {

/// From now on a fault in a mapped file (io/file/mapped_file.hpp) that another process has made shorter
/// writes "PROGRAM: PATH: became shorter while it was being read" to standard error and ends the process with
/// ExitCode::corrupt_file; any other SIGBUS does what it did before. Lifetime: `program` outlives the
/// process's last fault, as a literal does. Thread safety: call once, from main.
void install_mapping_guard(const char* program);

}  // namespace inkling
