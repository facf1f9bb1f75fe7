// The error of a process that survives when another one shortens a file that is mapped here.
#pragma once

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/mapping.hpp"

namespace inkling {

/// Throws CorruptFileError, naming the file, if a mapped file was found to be shorter when it was read.
/// Thread safety: any thread, any time.
inline void check_cut_files() {
  if (!has_cut_files()) return;
  if (const std::optional<std::string> path = cut_file()) throw CorruptFileError(*path, "became shorter while it was being read");
}

}  // namespace inkling
