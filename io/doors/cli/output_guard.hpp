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

/// Knows what a command reads, and refuses outputs that would destroy it, under any names and links. Call it before any output is
/// opened. A role is what the command line calls a file: "--out". Thread safety: one thread.
class OutputGuard {
 public:
  /// Notes a file or a folder that is read, such as a pool. A missing one is ignored: opening it will fail.
  void reads(const std::string& role, const std::string& path);

  /// Notes a file that is to be written. Throws UsageError if it is a file that is read, lies in a folder that is read, or is an
  /// output already. Pipes, devices and "-" may be both read and written.
  void writes(const std::string& role, const std::string& path);

 private:
  [[nodiscard]] const std::string* name_read_as(const FileIdentity& file);
  [[nodiscard]] const std::string* folder_around(const std::string& path);

  std::vector<std::pair<FileIdentity, std::string>> files_;  // that are read, with their roles and names
  bool are_sorted_ = true;
  std::vector<std::pair<std::string, std::string>> folders_;  // that are read: path, and role and name
  std::map<std::string, std::string> outputs_;                // role and name, by path with links followed
  std::set<std::string> looked_at_;                           // folders of outputs, found to lie in none of `folders_`
};

/// For outputs that are folders. Throws UsageError if the target lies in a source, which the next run would then read, or if a
/// source lies in the target.
void refuse_overlap(std::string_view option, const std::string& target, const std::vector<std::string>& sources);

}  // namespace inkling
