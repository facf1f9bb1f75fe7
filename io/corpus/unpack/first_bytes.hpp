// What can be seen of a folder and of a pipe before either is read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace inkling {

struct FirstFiles {
  std::vector<std::string> paths;
  bool complete = false;  ///< there are no others
};

/// The first regular files below a folder in order of their names, without hidden ones. Only the first hundreds of
/// names of each folder count, so that this is quick for a million files. Symbolic links
/// are left out unless they are followed. What cannot be read is left out.
[[nodiscard]] FirstFiles first_files_in(const std::string& folder, std::size_t most, bool follow_links);

/// What a pipe holds, without taking it out: up to a few ten thousand bytes, at least a whole line where one comes
/// within a second of the first bytes. Calls `waiting` about ten times a second. Empty where the pipe ends without a
/// byte, and for a pipe with a name of its own in the file system, which cannot be opened twice.
[[nodiscard]] std::string first_bytes_of_pipe(const std::string& path, const std::function<void()>& waiting);

}  // namespace inkling
