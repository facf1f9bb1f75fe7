#include "io/file/write_calls.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace inkling {
namespace {

int exchange_names(const char* one, const char* other) {
  return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

// `write_some(bytes)` until none are left.
template <typename WriteSome>
int write_repeatedly(std::span<const std::byte> bytes, const WriteSome& write_some) {
  while (!bytes.empty()) {
    const ssize_t written = write_some(bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

WriteCalls WriteCalls::of_system() {
  return {.write = ::write,
          .pwrite = ::pwrite,
          .fsync = ::fsync,
          .rename = std::rename,
          .exchange = exchange_names};
}

int WriteCalls::write_all(int descriptor, std::span<const std::byte> bytes) const {
  return write_repeatedly(
      bytes, [&](std::span<const std::byte> left) { return write(descriptor, left.data(), left.size()); });
}

int WriteCalls::write_all_at(int descriptor, std::span<const std::byte> bytes, std::uint64_t position) const {
  const std::uint64_t end = position + bytes.size();
  return write_repeatedly(bytes, [&](std::span<const std::byte> left) {
    return pwrite(descriptor, left.data(), left.size(), static_cast<off_t>(end - left.size()));
  });
}

int WriteCalls::sync(int descriptor) const {
  while (fsync(descriptor) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

}  // namespace inkling
