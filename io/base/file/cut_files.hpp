// Files that another process cuts short while they are mapped here, for a process that must outlive that.
#pragma once

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/mapping.hpp"

namespace inkling {

/// Throws CorruptFileError, which names a mapped file that was found to be cut short when it was read.
/// Thread safety: any thread, any time.
inline void check_cut_files() {
  if (!has_cut_files()) return;
  if (const std::optional<std::string> path = cut_file()) throw CorruptFileError(*path, "became shorter while it was being read");
}

}  // namespace inkling
