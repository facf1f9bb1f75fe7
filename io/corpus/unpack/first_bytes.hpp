// A look into a folder and into a pipe before either is read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace inkling {

struct FirstFiles {
  std::vector<std::string> paths;
  bool complete = false;  ///< the folder has no other files
};

/// The first regular files below a folder in order of their names, without hidden ones. Looks only at some hundred names
/// of each folder, so that it is quick for a million files. Leaves out symbolic links, unless `follow_links`, and what
/// cannot be read.
[[nodiscard]] FirstFiles first_files_in(const std::string& folder, std::size_t most, bool follow_links);

/// The bytes in a pipe, which stay in it: up to some ten thousand, and at least a whole line if one comes within a second
/// of the first bytes. Calls `waiting` about ten times a second. Empty if the pipe ends without a byte, and for a named
/// pipe, because it cannot be opened twice.
[[nodiscard]] std::string first_bytes_of_pipe(const std::string& path, const std::function<void()>& waiting);

}  // namespace inkling
