#include "io/base/system/file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <io.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/folder.hpp"
#include "io/base/system/random.hpp"
#include "io/base/system/windows/handles.hpp"
#include "io/base/system/windows/status.hpp"

namespace inkling {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

struct Opening {
  DWORD access = GENERIC_READ;
  DWORD disposition = OPEN_EXISTING;
  DWORD flags = FILE_FLAG_BACKUP_SEMANTICS;  // folders, too
  int kept_flags = _O_RDONLY;
  bool is_unfollowed = false;
  bool is_folder = false;
};

Opening opening_of(OpenAs how) noexcept {
  // With DELETE, a file can be renamed and removed by its handle.
  constexpr DWORD both = GENERIC_READ | GENERIC_WRITE | DELETE;
  switch (how) {
    case OpenAs::reader:
    case OpenAs::prompt_reader: return {};
    case OpenAs::unfollowed_reader: return {.is_unfollowed = true};
    case OpenAs::unfollowed_editor: return {.access = GENERIC_READ | GENERIC_WRITE, .kept_flags = _O_RDWR, .is_unfollowed = true};
    case OpenAs::writer: return {.access = GENERIC_WRITE, .kept_flags = _O_WRONLY};
    case OpenAs::appender:
      return {
          .access = FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, .disposition = OPEN_ALWAYS, .kept_flags = _O_WRONLY};
    case OpenAs::fresh: return {.access = both, .disposition = CREATE_NEW, .kept_flags = _O_RDWR};
    case OpenAs::lock:
      return {.access = GENERIC_READ | GENERIC_WRITE, .disposition = OPEN_ALWAYS, .kept_flags = _O_RDWR, .is_unfollowed = true};
    case OpenAs::folder: return {.is_folder = true};
    case OpenAs::unfollowed_folder: return {.is_unfollowed = true, .is_folder = true};
  }
  return {};
}

HANDLE created(const std::wstring& path, const Opening& opening) noexcept {
  const DWORD flags = opening.flags | FILE_ATTRIBUTE_NORMAL | (opening.is_unfollowed ? FILE_FLAG_OPEN_REPARSE_POINT : 0U);
  return ::CreateFileW(path.c_str(), opening.access, kShared, nullptr, opening.disposition, flags, nullptr);
}

// A handle may be of a folder or a link, which the caller did not ask for.
int refusal_of(HANDLE handle, const Opening& opening) noexcept {
  FILE_ATTRIBUTE_TAG_INFO found = {};
  if (::GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &found, sizeof found) == 0)
    return opening.is_folder ? ENOTDIR : 0;
  const bool is_folder = (found.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  if (opening.is_unfollowed && found.ReparseTag == IO_REPARSE_TAG_SYMLINK) return ELOOP;
  if (opening.is_folder && !is_folder) return ENOTDIR;
  return is_folder && opening.kept_flags != _O_RDONLY ? EISDIR : 0;
}

File opened(const std::wstring& path, const Opening& opening) noexcept {
  const HANDLE handle = created(path, opening);
  if (handle == INVALID_HANDLE_VALUE) {
    const DWORD error = ::GetLastError();
    const DWORD found = ::GetFileAttributesW(path.c_str());
    const bool is_folder = found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY) != 0;
    errno = error == ERROR_ACCESS_DENIED && is_folder ? EISDIR : errno_of(error);
    return File();
  }
  if (const int error = refusal_of(handle, opening); error != 0) {
    ::CloseHandle(handle);
    errno = error;
    return File();
  }
  return file_of(handle, opening.kept_flags);
}

OVERLAPPED at_position(std::uint64_t position) noexcept {
  OVERLAPPED at = {};
  at.Offset = static_cast<DWORD>(position & 0xFFFF'FFFFU);
  at.OffsetHigh = static_cast<DWORD>(position >> 32U);
  return at;
}

DWORD at_once(std::size_t bytes) noexcept { return static_cast<DWORD>(std::min(bytes, kMostAtOnce)); }

// Reads what a person typed, as UTF-8 whatever the console's own encoding is.
std::ptrdiff_t read_console(HANDLE console, std::span<std::byte> bytes) noexcept {
  constexpr std::size_t most_bytes_each = 3;  // of UTF-8 for a unit of UTF-16
  std::array<wchar_t, 4096> units{};
  const std::size_t wanted = std::clamp<std::size_t>(bytes.size() / most_bytes_each, 1, units.size());
  DWORD got = 0;
  if (::ReadConsoleW(console, units.data(), static_cast<DWORD>(wanted), &got, nullptr) == 0) return failed();
  constexpr wchar_t end_of_input = 26;  // Ctrl-Z at the beginning of a line
  if (got == 0 || units[0] == end_of_input) return 0;
  return ::WideCharToMultiByte(CP_UTF8, 0, units.data(), static_cast<int>(got), reinterpret_cast<char*>(bytes.data()),
                               static_cast<int>(bytes.size()), nullptr, nullptr);
}

std::ptrdiff_t read_some(HANDLE handle, std::span<std::byte> bytes) noexcept {
  DWORD mode = 0;
  if (::GetFileType(handle) == FILE_TYPE_CHAR && ::GetConsoleMode(handle, &mode) != 0) return read_console(handle, bytes);
  DWORD got = 0;
  if (::ReadFile(handle, bytes.data(), at_once(bytes.size()), &got, nullptr) != 0) return static_cast<std::ptrdiff_t>(got);
  const DWORD error = ::GetLastError();
  if (error == ERROR_BROKEN_PIPE || error == ERROR_HANDLE_EOF) return 0;
  if (error == ERROR_INVALID_FUNCTION || error == ERROR_ACCESS_DENIED) return errno = EISDIR, -1;
  return failed();
}

// What is read or written at a place moves the position at which read() continues. Requires: no other thread reads from there.
class KeptPosition {
 public:
  explicit KeptPosition(HANDLE handle) noexcept
      : handle_(handle), is_known_(::SetFilePointerEx(handle, LARGE_INTEGER{}, &position_, FILE_CURRENT) != 0) {}
  ~KeptPosition() {
    if (is_known_) ::SetFilePointerEx(handle_, position_, nullptr, FILE_BEGIN);
  }
  KeptPosition(const KeptPosition&) = delete;
  KeptPosition& operator=(const KeptPosition&) = delete;

 private:
  HANDLE handle_;
  LARGE_INTEGER position_ = {};
  bool is_known_;
};

std::ptrdiff_t write_some(HANDLE handle, std::span<const std::byte> bytes, OVERLAPPED* at) noexcept {
  DWORD written = 0;
  if (::WriteFile(handle, bytes.data(), at_once(bytes.size()), &written, at) == 0) return failed();
  return static_cast<std::ptrdiff_t>(written);
}

// A new file that is there until it is closed.
File passing_file(const std::string& path) noexcept {
  const Fault fault = fault_of(SystemCall::open, path.c_str());
  if (fault.error != 0) return errno = fault.error, File();
  Opening opening = opening_of(OpenAs::fresh);
  opening.flags |= FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY;
  return opened(wide_path(path), opening);
}

bool is_same_file(const File& one, const File& other) noexcept {
  const std::optional<FileStatus> of_one = status_of(handle_of(one));
  const std::optional<FileStatus> of_other = status_of(handle_of(other));
  return of_one && of_other && of_one->identity == of_other->identity;
}

// What is elsewhere at the path /dev/stdin: the pipe, or the file from its beginning.
File standard_input(const Opening& opening) noexcept {
  const File& input = File::standard(StandardStream::input);
  if (::GetFileType(handle_of(input)) == FILE_TYPE_DISK)
    if (File file = opened(final_path(handle_of(input)), opening); file.is_open() && is_same_file(file, input)) return file;
  return input.duplicate();
}

}  // namespace

bool FileStatus::is_own() const noexcept { return true; }

File File::open(const std::string& path, OpenAs how, unsigned /*permissions*/) noexcept {
  const Fault fault = fault_of(SystemCall::open, path.c_str());
  if (fault.error != 0) return errno = fault.error, File();
  if (path == "/dev/stdin") return standard_input(opening_of(how));
  if (path == "/dev/stdout") return standard(StandardStream::output).duplicate();
  return opened(wide_path(path), opening_of(how));
}

File File::open_in(const File& folder, const std::string& name, OpenAs how, unsigned permissions) noexcept {
  return open(path_in_folder(folder, name), how, permissions);
}

File File::nameless(const std::string& /*folder*/, const std::string& name) noexcept {
  // It keeps its name until it is closed or its process ends. So it lies beside the folder of that name, which can be removed before.
  static std::atomic<std::uint64_t> number = 0;
  return passing_file(folder_around(name) + ".scratch." + std::to_string(::GetCurrentProcessId()) + "." +
                      std::to_string(number++));
}

File File::in_memory(std::string& path) noexcept {
  std::array<wchar_t, MAX_PATH + 1> folder{};
  ::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data());
  path = utf8(folder.data()) + "inkling-" + std::to_string(random_value<std::uint64_t>());
  return passing_file(path);
}

const File& File::working_folder() noexcept {
  static const File folder(kWorkingFolder);  // below 0, so it is never closed
  return folder;
}

const File& File::standard(StandardStream stream) noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): as long as the process
  static const std::array<const File, 3>& streams = *new std::array<const File, 3>{File(0), File(1), File(2)};
  return streams[static_cast<std::size_t>(stream)];
}

File File::duplicate() const noexcept { return File(::_dup(number_)); }

int File::close() noexcept { return is_open() && ::_close(std::exchange(number_, -1)) != 0 ? errno : 0; }

std::optional<FileStatus> File::status() const noexcept {
  const Fault fault = fault_of(SystemCall::look, "");
  if (fault.error != 0) return errno = fault.error, std::nullopt;
  return status_of(handle_of(*this));
}

// Any program may set the time of the last change here, but none does so without meaning to.
bool File::keeps_stamps() const noexcept {
  std::array<wchar_t, MAX_PATH + 1> name{};
  if (::GetVolumeInformationByHandleW(handle_of(*this), nullptr, 0, nullptr, nullptr, nullptr, name.data(),
                                      static_cast<DWORD>(name.size())) == 0)
    return false;
  const std::wstring_view system = name.data();
  return system == L"NTFS" || system == L"ReFS";
}

std::ptrdiff_t File::read(std::span<std::byte> bytes) const noexcept {
  if (bytes.empty()) return 0;
  return tried_again(SystemCall::read, "", [&] { return read_some(handle_of(*this), bytes); });
}

std::size_t File::read_at(std::span<std::byte> bytes, std::uint64_t position) const noexcept {
  const KeptPosition kept(handle_of(*this));
  return read_repeatedly(bytes.size(), [&](std::size_t filled) -> std::ptrdiff_t {
    OVERLAPPED at = at_position(position + filled);
    DWORD read = 0;
    if (::ReadFile(handle_of(*this), bytes.data() + filled, at_once(bytes.size() - filled), &read, &at) != 0) return read;
    return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
  });
}

std::ptrdiff_t File::peek_pipe(std::span<std::byte> bytes) const noexcept {
  DWORD got = 0;
  if (::PeekNamedPipe(handle_of(*this), bytes.data(), at_once(bytes.size()), &got, nullptr, nullptr) != 0)
    return got > 0 ? static_cast<std::ptrdiff_t>(got) : (errno = EAGAIN, -1);
  return ::GetLastError() == ERROR_BROKEN_PIPE ? 0 : failed();
}

int File::write_all(std::span<const std::byte> bytes) const noexcept {
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) { return write_some(handle_of(*this), left, nullptr); });
}

int File::write_all_at(std::span<const std::byte> bytes, std::uint64_t position) const noexcept {
  const KeptPosition kept(handle_of(*this));
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) {
    OVERLAPPED at = at_position(position + static_cast<std::uint64_t>(left.data() - bytes.data()));
    return write_some(handle_of(*this), left, &at);
  });
}

// The names in a folder are in the file system's own log.
int File::sync() const noexcept {
  while (tried(SystemCall::sync, "", [&] { return checked(::FlushFileBuffers(handle_of(*this))); }) != 0) {
    if (errno == EINTR) continue;
    const int error = errno;
    const std::optional<FileStatus> found = status_of(handle_of(*this));
    const bool is_refused = error == EACCES || error == EBADF || error == ENOSYS || error == EINVAL;
    return found && found->is_folder() && is_refused ? 0 : error;
  }
  return 0;
}

int File::seek(std::uint64_t position) const noexcept {
  LARGE_INTEGER to = {};
  to.QuadPart = static_cast<LONGLONG>(position);
  return ::SetFilePointerEx(handle_of(*this), to, nullptr, FILE_BEGIN) != 0 ? 0 : errno_of(::GetLastError());
}

int File::resize(std::uint64_t bytes) const noexcept {
  FILE_END_OF_FILE_INFO end = {};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
  const auto cut = [&] { return checked(::SetFileInformationByHandle(handle_of(*this), FileEndOfFileInfo, &end, sizeof end)); };
  return tried_again(SystemCall::cut, "", cut) == 0 ? 0 : errno;
}

// Locks are mandatory here, so the one that is locked is a byte far beyond the end.
int File::try_lock() const noexcept {
  const auto lock = [&] {
    OVERLAPPED at = at_position(std::uint64_t{1} << 62U);
    return checked(::LockFileEx(handle_of(*this), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at));
  };
  while (tried(SystemCall::lock, "", lock) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

void File::start_writeback(std::uint64_t /*position*/, std::uint64_t /*bytes*/) const noexcept {}
void File::prefetch(std::uint64_t /*position*/, std::uint64_t /*bytes*/) const noexcept {}
void File::release(std::uint64_t /*position*/, std::uint64_t /*bytes*/) const noexcept {}

bool says_no_locks(int error) noexcept { return error == ENOLCK || error == ENOSYS || error == EINVAL; }

void hold_standard_streams() noexcept {
  for (const int number : {0, 1, 2}) {
    if (::_get_osfhandle(number) < 0)
      static_cast<void>(std::freopen("NUL", number == 0 ? "r" : "w", number == 0 ? stdin : number == 1 ? stdout : stderr));
    ::_setmode(number, _O_BINARY);  // no carriage returns of its own
  }
}

}  // namespace inkling
