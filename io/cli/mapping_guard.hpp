// Ends the program with a message where a mapped file becomes shorter while it is being read.
#pragma once

namespace inkling {

/// From now on, where another process made a mapped file (io/file/mapped_file.hpp) shorter, reading it
/// writes "PROGRAM: PATH: became shorter while it was being read" to standard error and ends the process with
/// ExitCode::corrupt_file. Any other SIGBUS does what it did before. Lifetime: `program` is a literal.
/// Thread safety: call once, from main.
void install_mapping_guard(const char* program);

}  // namespace inkling
