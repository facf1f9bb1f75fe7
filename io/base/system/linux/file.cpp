#include "io/base/system/file.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/posix/parts.hpp"

namespace inkling {

File File::nameless(const std::string& folder, const std::string& name) noexcept {
  constexpr unsigned own_file = 0600;
  File file(tried_again(SystemCall::open, folder.c_str(),
                        [&] { return ::openat(AT_FDCWD, folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, own_file); }));
  return file.is_open() ? std::move(file) : unlinked_file(name);
}

File File::in_memory(std::string& path) noexcept {
  File file(::memfd_create("head", MFD_CLOEXEC));
  path = "/proc/self/fd/" + std::to_string(file.number());
  return file;
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

std::ptrdiff_t File::peek_pipe(std::span<std::byte> bytes) const noexcept {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  const File out(ends[0]);
  const File in(ends[1]);
  const ssize_t copied = ::tee(number_, in.number(), bytes.size(), SPLICE_F_NONBLOCK);
  return copied <= 0 ? copied : out.read(bytes);
}

int File::sync() const noexcept {
  while (tried(SystemCall::sync, "", [&] { return ::fsync(number_); }) != 0)
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

}  // namespace inkling
