#include "io/base/system/file.hpp"

#include <array>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/posix/parts.hpp"
#include "io/base/system/posix/status.hpp"

namespace inkling {
namespace {

int flags_of(OpenAs how) noexcept {
  constexpr int created = O_RDWR | O_CREAT;
  constexpr int unfollowed = O_NOFOLLOW | O_NONBLOCK;
  switch (how) {
    case OpenAs::reader: return O_RDONLY;
    case OpenAs::prompt_reader: return O_RDONLY | O_NONBLOCK;
    case OpenAs::unfollowed_reader: return O_RDONLY | unfollowed;
    case OpenAs::unfollowed_editor: return O_RDWR | unfollowed;
    case OpenAs::writer: return O_WRONLY;
    case OpenAs::appender: return O_WRONLY | O_CREAT | O_APPEND;
    case OpenAs::fresh: return created | O_EXCL;
    case OpenAs::lock: return created | unfollowed;
    case OpenAs::folder: return O_RDONLY | O_DIRECTORY;
    case OpenAs::unfollowed_folder: return O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  }
  return O_RDONLY;
}

}  // namespace

bool FileStatus::is_own() const noexcept { return owner == ::geteuid(); }

File File::open(const std::string& path, OpenAs how, unsigned permissions) noexcept {
  return open_in(working_folder(), path, how, permissions);
}

File File::open_in(const File& folder, const std::string& name, OpenAs how, unsigned permissions) noexcept {
  return File(tried_again(SystemCall::open, name.c_str(),
                          [&] { return ::openat(folder.number(), name.c_str(), flags_of(how) | O_CLOEXEC, permissions); }));
}

File unlinked_file(const std::string& name) noexcept {
  constexpr unsigned own_file = 0600;
  File file;
  do {  // until another thread has removed the name of its own file
    file = File::open(name, OpenAs::fresh, own_file);
  } while (!file.is_open() && errno == EEXIST);
  const int error = errno;
  if (file.is_open()) ::unlink(name.c_str());
  errno = error;
  return file;
}

const File& File::working_folder() noexcept {
  static const File folder(AT_FDCWD);  // below 0, so it is never closed
  return folder;
}

const File& File::standard(StandardStream stream) noexcept {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): as long as the process
  static const std::array<const File, 3>& streams =
      *new std::array<const File, 3>{File(STDIN_FILENO), File(STDOUT_FILENO), File(STDERR_FILENO)};
  return streams[static_cast<std::size_t>(stream)];
}

File File::duplicate() const noexcept { return File(::dup(number_)); }

// An interrupted close has closed the file, too: the system frees the descriptor even if close reports an error.
int File::close() noexcept { return is_open() && ::close(std::exchange(number_, -1)) != 0 && errno != EINTR ? errno : 0; }

std::optional<FileStatus> File::status() const noexcept {
  struct stat found = {};
  const int failed = tried(SystemCall::look, "", [&] { return ::fstat(number_, &found); });
  return failed == 0 ? std::optional(status_of_stat(found)) : std::nullopt;
}

std::ptrdiff_t File::read(std::span<std::byte> bytes) const noexcept {
  return tried_again(SystemCall::read, "", [&] { return ::read(number_, bytes.data(), bytes.size()); });
}

std::size_t File::read_at(std::span<std::byte> bytes, std::uint64_t position) const noexcept {
  return read_repeatedly(bytes.size(), [&](std::size_t filled) {
    return ::pread(number_, bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(position + filled));
  });
}

int File::write_all(std::span<const std::byte> bytes) const noexcept {
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) { return ::write(number_, left.data(), left.size()); });
}

int File::write_all_at(std::span<const std::byte> bytes, std::uint64_t position) const noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) {
    const std::uint64_t before = reinterpret_cast<std::uintptr_t>(left.data()) - begin;
    return ::pwrite(number_, left.data(), left.size(), static_cast<off_t>(position + before));
  });
}

int File::seek(std::uint64_t position) const noexcept {
  return ::lseek(number_, static_cast<off_t>(position), SEEK_SET) < 0 ? errno : 0;
}

int File::resize(std::uint64_t bytes) const noexcept {
  const auto cut = [&] { return ::ftruncate(number_, static_cast<off_t>(bytes)); };
  return tried_again(SystemCall::cut, "", cut) == 0 ? 0 : errno;
}

int File::try_lock() const noexcept {
  while (tried(SystemCall::lock, "", [&] { return ::flock(number_, LOCK_EX | LOCK_NB); }) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

bool says_no_locks(int error) noexcept { return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL; }

void hold_standard_streams() noexcept {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // A new descriptor is the lowest free number, which is this one.
    [[maybe_unused]] const int held = ::socket(AF_UNIX, SOCK_STREAM, 0);
  }
}

}  // namespace inkling
