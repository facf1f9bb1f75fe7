#include "io/base/system/file.hpp"

#include <limits>
#include <string_view>

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include "io/base/system/calls.hpp"
#include "io/base/system/posix/parts.hpp"

namespace inkling {

File File::nameless(const std::string& /*folder*/, const std::string& name) noexcept { return unlinked_file(name); }

// Opening a number again gives the same position here, so what reads it as a file would begin at its end.
File File::in_memory(std::string& /*path*/) noexcept { return errno = ENOTSUP, File(); }

bool File::keeps_stamps() const noexcept {
  struct statfs system = {};
  if (::fstatfs(number_, &system) != 0) return false;
  const std::string_view name = static_cast<const char*>(system.f_fstypename);
  return name == "apfs" || name == "hfs";
}

std::ptrdiff_t File::peek_pipe(std::span<std::byte> /*bytes*/) const noexcept { return errno = ENOTSUP, -1; }

// fsync() leaves the bytes in the memory of the disk. Where the disk cannot be asked for more, it is all there is.
int File::sync() const noexcept {
  const auto reach_disk = [&] { return ::fcntl(number_, F_FULLFSYNC) == 0 ? 0 : ::fsync(number_); };
  while (tried(SystemCall::sync, "", reach_disk) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

void File::start_writeback(std::uint64_t /*position*/, std::uint64_t /*bytes*/) const noexcept {}

void File::prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept {
  constexpr std::uint64_t most = std::numeric_limits<int>::max();
  radvisory wanted = {.ra_offset = static_cast<off_t>(position), .ra_count = static_cast<int>(std::min(bytes, most))};
  ::fcntl(number_, F_RDADVISE, &wanted);
}

void File::release(std::uint64_t /*position*/, std::uint64_t /*bytes*/) const noexcept {}

}  // namespace inkling
