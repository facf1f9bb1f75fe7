#include "io/base/system/file.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/linux/status.hpp"

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

File opened(int folder, const std::string& name, int flags, unsigned permissions) noexcept {
  return File(tried_again(SystemCall::open, name.c_str(),
                          [&] { return ::openat(folder, name.c_str(), flags | O_CLOEXEC, permissions); }));
}

}  // namespace

bool FileStatus::is_own() const noexcept { return owner == ::geteuid(); }

File File::open(const std::string& path, OpenAs how, unsigned permissions) noexcept {
  return open_in(working_folder(), path, how, permissions);
}

File File::open_in(const File& folder, const std::string& name, OpenAs how, unsigned permissions) noexcept {
  return opened(folder.number(), name, flags_of(how), permissions);
}

File File::nameless(const std::string& folder, const std::string& name) noexcept {
  constexpr unsigned own_file = 0600;
  File file = opened(AT_FDCWD, folder, O_TMPFILE | O_RDWR, own_file);
  if (file.is_open()) return file;
  do {  // until another thread has removed the name of its own file
    file = open(name, OpenAs::fresh, own_file);
  } while (!file.is_open() && errno == EEXIST);
  const int error = errno;
  if (file.is_open()) ::unlink(name.c_str());
  errno = error;
  return file;
}

File File::in_memory(std::string& path) noexcept {
  File file(::memfd_create("head", MFD_CLOEXEC));
  path = "/proc/self/fd/" + std::to_string(file.number());
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

// An interrupted close has closed the file, too: Linux frees the descriptor even if close reports an error.
int File::close() noexcept { return is_open() && ::close(std::exchange(number_, -1)) != 0 && errno != EINTR ? errno : 0; }

std::optional<FileStatus> File::status() const noexcept {
  struct stat found = {};
  const int failed = tried(SystemCall::look, "", [&] { return ::fstat(number_, &found); });
  return failed == 0 ? std::optional(status_of_stat(found)) : std::nullopt;
}

bool File::keeps_stamps() const noexcept {
  constexpr auto known = std::to_array<std::uint32_t>({
      EXT4_SUPER_MAGIC,  // and ext2, ext3
      BTRFS_SUPER_MAGIC, F2FS_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC,
      0x58465342,  // XFS, of which older headers have no name
      0x2FC12FC1,  // ZFS
      0xCA451A4E,  // bcachefs
  });
  struct statfs system = {};
  return ::fstatfs(number_, &system) == 0 && std::ranges::find(known, static_cast<std::uint32_t>(system.f_type)) != known.end();
}

std::ptrdiff_t File::read(std::span<std::byte> bytes) const noexcept {
  return tried_again(SystemCall::read, "", [&] { return ::read(number_, bytes.data(), bytes.size()); });
}

std::size_t File::read_at(std::span<std::byte> bytes, std::uint64_t position) const noexcept {
  return read_repeatedly(bytes.size(), [&](std::size_t filled) {
    return ::pread(number_, bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(position + filled));
  });
}

std::ptrdiff_t File::peek_pipe(std::span<std::byte> bytes) const noexcept {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  const File out(ends[0]);
  const File in(ends[1]);
  const ssize_t copied = ::tee(number_, in.number(), bytes.size(), SPLICE_F_NONBLOCK);
  return copied <= 0 ? copied : out.read(bytes);
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

int File::sync() const noexcept {
  while (tried(SystemCall::sync, "", [&] { return ::fsync(number_); }) != 0)
    if (errno != EINTR) return errno;
  return 0;
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

void File::start_writeback(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::sync_file_range(number_, static_cast<off_t>(position), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
}

void File::prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::posix_fadvise(number_, static_cast<off_t>(position), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

void File::release(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::fallocate(number_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(position), static_cast<off_t>(bytes));
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
