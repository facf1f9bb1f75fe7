// The identity of the file that a name leads to, so that no program writes over what it reads.
#pragma once

#include <optional>
#include <string>

#include "io/base/system/folder.hpp"

namespace inkling {

/// The identity of the file or folder at a path, with symbolic links followed; nothing if there is none or it cannot be examined.
[[nodiscard]] std::optional<FileIdentity> identity_of(const std::string& path) noexcept;

/// Whether the path is the folder, or lies somewhere below it, with symbolic links followed. The path itself need not
/// be there yet. Throws SystemError where the path cannot be followed.
[[nodiscard]] bool lies_within(const std::string& path, const std::string& folder);

}  // namespace inkling
