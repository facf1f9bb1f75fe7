#include "io/base/system/windows/handles.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cwchar>
#include <utility>

#include <fcntl.h>
#include <io.h>

// std::filesystem::path takes a narrow name letter by letter through this function of the C library, which knows no UTF-8 here. So
// this is our own, for what is linked into this program; a letter beyond U+FFFF is no single unit and is refused.
extern "C" std::size_t mbrtowc(wchar_t* to, const char* from, std::size_t size, std::mbstate_t* /*state*/) {
  constexpr auto incomplete = static_cast<std::size_t>(-2);
  constexpr auto wrong = static_cast<std::size_t>(-1);
  if (from == nullptr) return 0;
  if (size == 0) return incomplete;
  const auto lead = static_cast<unsigned char>(*from);
  const int length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 0;
  if (length == 0) return errno = EILSEQ, wrong;
  if (size < static_cast<std::size_t>(length)) return incomplete;
  wchar_t unit = 0;
  if (::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, from, length, &unit, 1) != 1) return errno = EILSEQ, wrong;
  if (to != nullptr) *to = unit;
  return unit == L'\0' ? 0 : static_cast<std::size_t>(length);
}

namespace inkling {
std::wstring wide(std::string_view utf8) {
  const int size = static_cast<int>(utf8.size());
  std::wstring wide(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), size, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

std::string utf8(std::wstring_view wide) {
  const int size = static_cast<int>(wide.size());
  std::string text(static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr)),
                   '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, text.data(), static_cast<int>(text.size()), nullptr, nullptr);
  return text;
}

std::wstring whole_path(const std::wstring& path) {
  std::wstring whole(static_cast<std::size_t>(::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr)), L'\0');
  whole.resize(::GetFullPathNameW(path.c_str(), static_cast<DWORD>(whole.size()), whole.data(), nullptr));
  return whole;
}

std::wstring wide_path(std::string_view path) {
  if (path == "/dev/null") return L"NUL";
  std::wstring name = wide(path);
  std::ranges::replace(name, L'/', L'\\');
  // Longer ones must be whole and marked; the limit of a folder's name is 12 letters below that of a file.
  constexpr std::size_t longest_plain = MAX_PATH - 12 - 1;
  if (name.size() <= longest_plain || name.starts_with(L"\\\\")) return name;
  return L"\\\\?\\" + whole_path(name);
}

int errno_of(DWORD error) noexcept {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME: return ENOENT;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_ACCESS_DENIED:
    case ERROR_CANNOT_MAKE:
    case ERROR_USER_MAPPED_FILE: return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_DRIVE_LOCKED: return EBUSY;
    case ERROR_LOCK_VIOLATION:
    case ERROR_IO_PENDING: return EWOULDBLOCK;
    case ERROR_INVALID_HANDLE: return EBADF;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT: return ENOMEM;
    case ERROR_WRITE_PROTECT: return EROFS;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: return EEXIST;
    case ERROR_HANDLE_DISK_FULL:
    case ERROR_DISK_FULL: return ENOSPC;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA: return EPIPE;
    case ERROR_DIR_NOT_EMPTY: return ENOTEMPTY;
    case ERROR_DIRECTORY: return ENOTDIR;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    case ERROR_NOT_SAME_DEVICE: return EXDEV;
    case ERROR_INVALID_FUNCTION:
    case ERROR_NOT_SUPPORTED:
    case ERROR_CALL_NOT_IMPLEMENTED: return ENOSYS;
    case ERROR_INVALID_PARAMETER: return EINVAL;
    case ERROR_NOT_READY: return ENODEV;
    default: return EIO;
  }
}

int failed() noexcept {
  errno = errno_of(::GetLastError());
  return -1;
}

int checked(BOOL succeeded) noexcept { return succeeded != 0 ? 0 : failed(); }

HANDLE handle_of(const File& file) noexcept {
  if (!file.is_open()) return INVALID_HANDLE_VALUE;
  return reinterpret_cast<HANDLE>(::_get_osfhandle(file.number()));  // NOLINT(performance-no-int-to-ptr)
}

File file_of(HANDLE handle, int flags) noexcept {
  if (handle == INVALID_HANDLE_VALUE || handle == nullptr) return File();
  const int number = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), flags | _O_BINARY | _O_NOINHERIT);
  if (number < 0) ::CloseHandle(handle);
  return File(number);
}

}  // namespace inkling
