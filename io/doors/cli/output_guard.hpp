// Keeps a command from writing over what it reads.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/base/file/file_identity.hpp"

namespace inkling {

/// Knows what a command reads, and refuses outputs that would destroy it, by whatever names and links. Ask it before any
/// output is opened. A role is what the command line calls a file: "--out". Thread safety: one thread.
class OutputGuard {
 public:
  /// A file or a folder that is read, such as a pool. What is not there is left to whoever opens it.
  void reads(const std::string& role, const std::string& path);

  /// A file that is to be written. Throws UsageError where it is a file that is read, where it lies in a folder that is
  /// read, or where the same file is an output already. Pipes, devices and "-" may be both.
  void writes(const std::string& role, const std::string& path);

 private:
  [[nodiscard]] const std::string* name_read_as(const FileIdentity& file);
  [[nodiscard]] const std::string* folder_around(const std::string& path);

  std::vector<std::pair<FileIdentity, std::string>> files_;  // that are read, with their roles and names
  bool are_sorted_ = true;
  std::vector<std::pair<std::string, std::string>> folders_;  // that are read: path, and role and name
  std::map<std::string, std::string> outputs_;                // role and name, by path with links followed
  std::set<std::string> looked_at_;                           // folders of outputs that are in none of those
};

/// For outputs that are folders. Throws UsageError where the target lies in one of the sources, or a source in the
/// target: the next run would read what this one wrote.
void refuse_overlap(std::string_view option, const std::string& target, const std::vector<std::string>& sources);

}  // namespace inkling
