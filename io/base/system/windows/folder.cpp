#include "io/base/system/folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <io.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/random.hpp"
#include "io/base/system/windows/handles.hpp"
#include "io/base/system/windows/status.hpp"

namespace inkling {
namespace {

// Between the beginning of the system's time, 1601, and that of ours.
constexpr std::int64_t kSecondsTo1970 = 11'644'473'600;
constexpr std::int64_t kTicksInSecond = 10'000'000;

FileTime time_of(LARGE_INTEGER ticks) noexcept {
  const std::int64_t seconds = ticks.QuadPart / kTicksInSecond - kSecondsTo1970;
  return {seconds, ticks.QuadPart % kTicksInSecond * 100};
}

OwnedHandle handle_at(const std::wstring& path, DWORD access, bool is_followed) noexcept {
  const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (is_followed ? 0U : FILE_FLAG_OPEN_REPARSE_POINT);
  const HANDLE handle = ::CreateFileW(path.c_str(), access, kShared, nullptr, OPEN_EXISTING, flags, nullptr);
  return OwnedHandle(handle == INVALID_HANDLE_VALUE ? nullptr : handle);
}

std::optional<FileStatus> look(const char* path, bool is_followed) noexcept {
  const Fault fault = fault_of(SystemCall::look, path);
  if (fault.error != 0) return errno = fault.error, std::nullopt;
  if (std::string_view(path) == "/dev/stdin") return status_of(handle_of(File::standard(StandardStream::input)));
  const OwnedHandle handle = handle_at(wide_path(path), FILE_READ_ATTRIBUTES, is_followed);
  if (!handle) return failed(), std::nullopt;
  return status_of(handle.get());
}

bool is_folder_at(const std::wstring& path) noexcept {
  const DWORD found = ::GetFileAttributesW(path.c_str());
  return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

struct SearchCloser {
  void operator()(HANDLE search) const noexcept { ::FindClose(search); }
};

std::optional<FileKind> kind_of(DWORD attributes) noexcept {
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return std::nullopt;
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? FileKind::folder : FileKind::file;
}

// The system's own name of what is open: that of its device, which is reached by the name of all devices. Without a name, it is
// nothing that is there.
std::wstring name_of_object(HANDLE handle) {
  constexpr auto object_name = static_cast<OBJECT_INFORMATION_CLASS>(1);
  std::vector<UNICODE_STRING> memory(5'000);  // the name is behind the first; none has more than 32,767 letters
  const auto bytes = static_cast<ULONG>(memory.size() * sizeof(UNICODE_STRING));
  if (::NtQueryObject(handle, object_name, memory.data(), bytes, nullptr) != 0) return L"\\\\?\\GLOBALROOT";
  const std::wstring name(memory.front().Buffer, memory.front().Length / sizeof(wchar_t));
  return name.starts_with(L"\\??\\") ? L"\\\\?\\" + name.substr(4) : L"\\\\?\\GLOBALROOT" + name;
}

// Without the mark of long paths, with slashes.
std::string plain_path_of(HANDLE handle) {
  std::string path = utf8(final_path(handle));
  if (path.starts_with(R"(\\?\UNC\)")) path.replace(0, 8, R"(\\)");
  if (path.starts_with(R"(\\?\)")) path.erase(0, 4);
  return with_slashes(std::move(path));
}

// What mingw's headers of older systems lack.
constexpr int kRenameInfoEx = 22;
constexpr DWORD kReplaceIfExists = 1;
constexpr DWORD kPosixSemantics = 2;

// One step, also over a file that is open.
BOOL rename_by_handle(const std::wstring& from, const std::wstring& to) {
  const OwnedHandle handle = handle_at(from, DELETE | SYNCHRONIZE, false);
  if (!handle) return FALSE;
  const std::wstring whole = whole_path(to);
  struct Renaming {
    DWORD flags;
    HANDLE folder;
    DWORD name_bytes;
    wchar_t name[1];
  };
  const std::size_t name_bytes = whole.size() * sizeof(wchar_t);
  std::vector<std::byte> memory(sizeof(Renaming) + name_bytes);
  auto* const renaming =
      new (memory.data()) Renaming{kReplaceIfExists | kPosixSemantics, nullptr, static_cast<DWORD>(name_bytes), {}};
  std::memcpy(&renaming->name, whole.data(), name_bytes);
  return ::SetFileInformationByHandle(handle.get(), static_cast<FILE_INFO_BY_HANDLE_CLASS>(kRenameInfoEx), renaming,
                                      static_cast<DWORD>(memory.size()));
}

// Programs that look at every new file, such as virus scanners, keep it for an instant.
constexpr int kTries = 50;
constexpr DWORD kBetweenTries = 10;

bool may_pass(DWORD error) noexcept { return error == ERROR_SHARING_VIOLATION || error == ERROR_ACCESS_DENIED; }

template <typename Make>
int made_at_last(const Make& make) {
  for (int tries = 0;; ++tries) {
    if (make() != 0) return 0;
    const DWORD error = ::GetLastError();
    if (tries == kTries || !may_pass(error)) return errno = errno_of(error), -1;
    ::Sleep(kBetweenTries);
  }
}

int rename_wide(const std::wstring& from, const std::wstring& to) {
  if (is_folder_at(from)) {
    if (!is_folder_at(to) && ::GetFileAttributesW(to.c_str()) != INVALID_FILE_ATTRIBUTES) return errno = ENOTDIR, -1;
    if (is_folder_at(to) && ::RemoveDirectoryW(to.c_str()) == 0) return failed();
  } else if (is_folder_at(to)) {
    return errno = EISDIR, -1;
  }
  return made_at_last([&] {
    if (rename_by_handle(from, to) != 0) return TRUE;
    return ::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
  });
}

// The name is gone at once, also while the file is open: then the folder around it can be removed.
BOOL remove_by_handle(const std::wstring& path) {
  constexpr int disposition_ex = 21;
  constexpr DWORD remove = 1;
  constexpr DWORD also_unwritable = 0x10;
  const OwnedHandle handle = handle_at(path, DELETE | SYNCHRONIZE, false);
  if (!handle) return FALSE;
  DWORD flags = remove | kPosixSemantics | also_unwritable;
  return ::SetFileInformationByHandle(handle.get(), static_cast<FILE_INFO_BY_HANDLE_CLASS>(disposition_ex), &flags, sizeof flags);
}

int remove_wide(const std::wstring& path) {
  if (is_folder_at(path) && (::GetFileAttributesW(path.c_str()) & FILE_ATTRIBUTE_REPARSE_POINT) == 0) return errno = EISDIR, -1;
  return made_at_last([&] { return remove_by_handle(path) != 0 ? TRUE : ::DeleteFileW(path.c_str()); });
}

}  // namespace

std::wstring final_path(HANDLE handle) {
  std::array<wchar_t, 32'768> path{};
  const DWORD size = ::GetFinalPathNameByHandleW(handle, path.data(), static_cast<DWORD>(path.size()), VOLUME_NAME_DOS);
  // Wine gives none that is longer than MAX_PATH, but the name of the object.
  return size > 0 ? std::wstring(path.data(), size) : name_of_object(handle);
}

std::optional<FileStatus> status_of(HANDLE handle) noexcept {
  FileStatus status;
  const DWORD type = ::GetFileType(handle);
  if (type != FILE_TYPE_DISK) {
    if (type == FILE_TYPE_UNKNOWN && ::GetLastError() != NO_ERROR) return failed(), std::nullopt;
    status.kind = type == FILE_TYPE_PIPE ? FileKind::pipe : FileKind::other;
    return status;
  }
  BY_HANDLE_FILE_INFORMATION found = {};
  FILE_BASIC_INFO basic = {};
  FILE_STANDARD_INFO standard = {};
  if (::GetFileInformationByHandle(handle, &found) == 0 ||
      ::GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) == 0 ||
      ::GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard) == 0)
    return failed(), std::nullopt;
  FILE_ATTRIBUTE_TAG_INFO tag = {};
  const bool is_link = (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
                       ::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &tag, sizeof tag) != 0 &&
                       tag.ReparseTag == IO_REPARSE_TAG_SYMLINK;
  const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  constexpr unsigned of_folder = 0700;  // who else may do what is in lists that nothing here looks at
  constexpr unsigned of_file = 0600;
  constexpr unsigned unwritable = 0400;
  status.kind = is_link ? FileKind::link : is_folder ? FileKind::folder : FileKind::file;
  status.identity = {found.dwVolumeSerialNumber, (std::uint64_t{found.nFileIndexHigh} << 32U) | found.nFileIndexLow};
  status.size = static_cast<std::uint64_t>(standard.EndOfFile.QuadPart);
  status.modified = time_of(basic.LastWriteTime);
  status.changed = time_of(basic.ChangeTime);
  status.names = standard.DeletePending != 0 ? 0 : found.nNumberOfLinks;
  status.permissions = is_folder ? of_folder : (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0 ? unwritable : of_file;
  return status;
}

std::string path_in_folder(const File& folder, const std::string& name) {
  if (folder.number() == kWorkingFolder) return name;
  return utf8(final_path(handle_of(folder))) + "\\" + name;
}

std::optional<FileStatus> status_at(const char* path) noexcept { return look(path, true); }
std::optional<FileStatus> link_status_at(const char* path) noexcept { return look(path, false); }

std::optional<FileStatus> status_in(const File& folder, const std::string& name) noexcept {
  return look(path_in_folder(folder, name).c_str(), true);
}

std::optional<FileStatus> link_status_in(const File& folder, const std::string& name) noexcept {
  return look(path_in_folder(folder, name).c_str(), false);
}

int make_folder_at(const char* path, unsigned /*permissions*/) noexcept {
  return error_of(SystemCall::make_folder, path, [&] { return checked(::CreateDirectoryW(wide_path(path).c_str(), nullptr)); });
}

int remove_file(const char* path) noexcept {
  return error_of(SystemCall::remove, path, [&] { return remove_wide(wide_path(path)); });
}

int remove_empty_folder(const char* path) noexcept {
  return error_of(SystemCall::remove, path, [&] {
    const std::wstring folder = wide_path(path);
    return made_at_last([&] { return ::RemoveDirectoryW(folder.c_str()); });
  });
}

int rename_path(const char* from, const char* to) noexcept {
  return error_of(SystemCall::rename, to, [&] { return rename_wide(wide_path(from), wide_path(to)); });
}

int exchange_paths(const char* /*one*/, const char* other) noexcept {
  return error_of(SystemCall::exchange, other, [] { return errno = ENOSYS, -1; });
}

int rename_in(const File& folder, const std::string& from, const std::string& to) noexcept {
  return error_of(SystemCall::rename, to.c_str(),
                  [&] { return rename_wide(wide_path(path_in_folder(folder, from)), wide_path(path_in_folder(folder, to))); });
}

int remove_file_in(const File& folder, const std::string& name) noexcept {
  return error_of(SystemCall::remove, name.c_str(), [&] { return remove_wide(wide_path(path_in_folder(folder, name))); });
}

bool each_entry_in(const std::string& folder, const std::function<bool(const std::string&, std::optional<FileKind>)>& visit) {
  const Fault fault = fault_of(SystemCall::list, folder.c_str());
  if (fault.error != 0) return errno = fault.error, false;
  WIN32_FIND_DATAW entry = {};
  const HANDLE search =
      ::FindFirstFileExW(wide_path(folder + "/*").c_str(), FindExInfoBasic, &entry, FindExSearchNameMatch, nullptr, 0);
  if (search == INVALID_HANDLE_VALUE) return failed(), false;
  const std::unique_ptr<void, SearchCloser> closer(search);
  do {
    const std::string name = utf8(entry.cFileName);
    if (name != "." && name != ".." && !visit(name, kind_of(entry.dwFileAttributes))) return false;
  } while (::FindNextFileW(search, &entry) != 0);
  return ::GetLastError() == ERROR_NO_MORE_FILES || checked(FALSE) == 0;
}

std::string path_for_libraries(const std::string& path) { return utf8(wide_path(path)); }

std::string resolved_path(const std::string& path) {
  const OwnedHandle handle = handle_at(wide_path(path), FILE_READ_ATTRIBUTES, true);
  return handle ? plain_path_of(handle.get()) : path;
}

std::optional<std::string> whole_path_of(const std::string& path) {
  const std::string whole = utf8(whole_path(wide(path.empty() ? "." : path)));
  for (std::size_t end = whole.size(); end != std::string::npos && end > 0; end = whole.find_last_of("\\/", end - 1))
    if (const OwnedHandle handle = handle_at(wide_path(whole.substr(0, end)), FILE_READ_ATTRIBUTES, true))
      return plain_path_of(handle.get()) + with_slashes(whole.substr(end));
  return with_slashes(whole);
}

std::optional<std::string> make_temporary_folder(std::string stem) {
  while (true) {
    const std::string path = stem + std::to_string(random_value<std::uint32_t>());
    const int error = make_folder_at(path.c_str(), 0700);
    if (error == 0) return path;
    if (error != EEXIST) return errno = error, std::nullopt;
  }
}

std::string with_slashes(std::string path) {
  std::ranges::replace(path, '\\', '/');
  return path;
}

bool may_write_in(const std::string& folder) noexcept {
  constexpr int writable = 2;
  return ::_waccess(wide_path(folder).c_str(), writable) == 0;
}

// What a user makes in folders of his own is his alone by what these folders pass on.
void make_all_private() noexcept {}

}  // namespace inkling
