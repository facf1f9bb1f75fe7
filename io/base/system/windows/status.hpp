// Makes a FileStatus of what the system reports.
#pragma once

#include <optional>
#include <string>

#include "io/base/system/windows/handles.hpp"

namespace inkling {

/// Nothing where it cannot be looked at; then errno says why.
[[nodiscard]] std::optional<FileStatus> status_of(HANDLE handle) noexcept;

/// A path that leads to it now, or to nothing where there is none.
[[nodiscard]] std::wstring final_path(HANDLE handle);

/// The path of a name in an open folder, wherever the folder is now.
[[nodiscard]] std::string path_in_folder(const File& folder, const std::string& name);

}  // namespace inkling
