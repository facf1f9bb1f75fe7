// Keeps a folder of results to one run at a time.
#pragma once

#include <string>

#include "io/file/output_file.hpp"

namespace inkling::bench {

/// Holds a folder while it lives, by a lock (flock) on its file run.lock, which stays there: so it ends with the
/// process, however that ends. On a file system without such locks nothing is held.
class FolderLock {
 public:
  static constexpr const char* file_name = "run.lock";

  /// Throws SystemError where the file cannot be made, and where another run holds the folder: it names the process.
  explicit FolderLock(const std::string& folder);

  [[nodiscard]] bool is_held() const { return held_; }

 private:
  Descriptor file_;
  bool held_ = false;
};

}  // namespace inkling::bench
