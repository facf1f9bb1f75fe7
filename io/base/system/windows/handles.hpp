// Handles, paths and errors of Windows in our words.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#ifndef NOMINMAX
#  define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#  define WIN32_LEAN_AND_MEAN
#endif
// The others need windows.h first.
// clang-format off
#include <windows.h>
#include <bcrypt.h>
#include <psapi.h>
#include <shellapi.h>
#include <tlhelp32.h>
#include <winternl.h>
// clang-format on

#include "io/base/system/file.hpp"

namespace inkling {

/// The number of `File::working_folder()`.
inline constexpr int kWorkingFolder = -100;

[[nodiscard]] std::wstring wide(std::string_view utf8);
[[nodiscard]] std::string utf8(std::wstring_view wide);

/// The path as the system's calls take it, however long it is. `/dev/null` is the device of that name.
[[nodiscard]] std::wstring wide_path(std::string_view path);

/// The path from the root of its drive on.
[[nodiscard]] std::wstring whole_path(const std::wstring& path);

/// The errno that is nearest to this error of the system.
[[nodiscard]] int errno_of(DWORD error) noexcept;
/// Sets errno to that of the last error, and returns -1.
int failed() noexcept;
/// 0 where the call succeeded; otherwise sets errno and returns -1.
int checked(BOOL succeeded) noexcept;

[[nodiscard]] HANDLE handle_of(const File& file) noexcept;
/// A file that owns the handle; none where the handle is invalid.
[[nodiscard]] File file_of(HANDLE handle, int flags) noexcept;

/// How files are shared: anybody may read, write, rename and remove them meanwhile.
inline constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

/// Closes a handle that is no file's.
struct HandleCloser {
  using pointer = HANDLE;
  void operator()(HANDLE handle) const noexcept { ::CloseHandle(handle); }
};

using OwnedHandle = std::unique_ptr<void, HandleCloser>;

}  // namespace inkling
