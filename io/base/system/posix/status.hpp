// Makes a FileStatus of what the system reports.
#pragma once

#include <sys/stat.h>

#include "io/base/system/file.hpp"

#ifdef __APPLE__  // which has names of its own for the same
#  define st_mtim st_mtimespec
#  define st_ctim st_ctimespec
#endif

namespace inkling {

[[nodiscard]] inline FileKind kind_of_mode(mode_t mode) noexcept {
  if (S_ISREG(mode)) return FileKind::file;
  if (S_ISDIR(mode)) return FileKind::folder;
  if (S_ISLNK(mode)) return FileKind::link;
  return S_ISFIFO(mode) ? FileKind::pipe : FileKind::other;
}

[[nodiscard]] inline FileStatus status_of_stat(const struct stat& found) noexcept {
  return {.kind = kind_of_mode(found.st_mode),
          .identity = {static_cast<std::uint64_t>(found.st_dev), found.st_ino},
          .size = static_cast<std::uint64_t>(found.st_size),
          .modified = {found.st_mtim.tv_sec, found.st_mtim.tv_nsec},
          .changed = {found.st_ctim.tv_sec, found.st_ctim.tv_nsec},
          .names = static_cast<std::uint64_t>(found.st_nlink),
          .permissions = found.st_mode & 0777U,
          .owner = found.st_uid};
}

}  // namespace inkling
