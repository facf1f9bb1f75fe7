// The folder of a pool held open, so that its files are found in it whatever its name is by then.
#pragma once

#include <string>
#include <string_view>

namespace inkling {

/// Thread safety: const after opening.
class PoolFolder {
 public:
  /// Throws SystemError, and CorruptFileError where the path is a file.
  explicit PoolFolder(std::string path);
  ~PoolFolder();
  PoolFolder(const PoolFolder&) = delete;
  PoolFolder& operator=(const PoolFolder&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string path_of(std::string_view name) const;

  /// Whether the path still leads to this folder: a new pool may have taken its place.
  [[nodiscard]] bool is_in_place() const;

  /// Throws the CorruptFileError of a folder that is no pool.
  [[noreturn]] void fail_without_manifest() const;

 private:
  std::string path_;
  int descriptor_;
};

}  // namespace inkling
