// One writer at a time, for as long as a file is open.
#pragma once

#include <string>

#include "io/base/system/folder.hpp"

namespace inkling {

/// Holds a lock on the file PATH-lock, which it makes and later removes. The lock ends with the process, even if that is killed.
/// On a file system without locks, nothing is locked. Move-only.
class WriterLock {
 public:
  /// Throws FormatError where somebody else holds the lock, this process included; SystemError where the lock's file
  /// cannot be made.
  explicit WriterLock(const std::string& path);
  ~WriterLock();
  WriterLock(WriterLock&&) noexcept = default;
  WriterLock& operator=(WriterLock&&) = delete;
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

  /// The lock's file.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// False if the lock's file was removed or replaced: then another process may hold a lock of that name.
  [[nodiscard]] bool is_in_place() const { return file_.is_at(name_); }

 private:
  /// Whether the lock is ours; false where the file was removed meanwhile and another one has to be made.
  bool take(const std::string& path);

  std::string name_;
  File file_;
};

}  // namespace inkling
