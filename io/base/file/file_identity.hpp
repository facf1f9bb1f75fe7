// Which file a name leads to, so that no program writes over what it reads.
#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "io/base/file/output_file.hpp"

namespace inkling {

/// Two names lead to one file exactly where these are equal, whatever links are between.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;

  bool operator==(const FileIdentity&) const = default;
};

/// Of a file or a folder, with symbolic links followed; nothing where there is none, or where it cannot be looked at.
[[nodiscard]] std::optional<FileIdentity> identity_of(const std::string& path) noexcept;

/// Whether the path is the folder, or lies somewhere below it, with symbolic links followed. The path itself need not
/// be there yet. Throws SystemError where the path cannot be followed.
[[nodiscard]] bool lies_within(const std::string& path, const std::string& folder);

/// Opens a file for reading that must be a regular one, and never waits: what is a folder, a pipe or a device is refused
/// with a SystemError naming `path`. `folder` is an open folder or AT_FDCWD.
[[nodiscard]] Descriptor open_regular_file(int folder, const std::string& name, const std::string& path);

}  // namespace inkling
