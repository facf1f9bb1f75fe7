#include "io/pool/write/scratch_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling {
namespace {

// A file without a name; where the file system cannot make one, a file whose name is taken away at once.
int nameless_file(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  std::string name = folder + "/scratch-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

ScratchFile::ScratchFile(const PoolStaging& staging)
    : staging_(staging), descriptor_(nameless_file(staging.folder())) {
  if (descriptor_ < 0) throw SystemError(staging.target(), errno, "cannot make a temporary file");
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

std::uint64_t ScratchFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t position = size_;
  const int error = staging_.calls().write_all(descriptor_, bytes);
  if (error != 0) {
    throw SystemError(staging_.target(), error,
                      fmt::format("cannot write {} bytes of temporary data after {}",
                                  digit_groups(bytes.size()), digit_groups(size_)));
  }
  size_ += bytes.size();
  return position;
}

void ScratchFile::read(std::uint64_t position, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(position));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw SystemError(staging_.target(), got < 0 ? errno : EIO, "cannot read temporary data");
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    position += static_cast<std::uint64_t>(got);
  }
}

void ScratchFile::prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::posix_fadvise(descriptor_, static_cast<off_t>(position), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
}

void ScratchFile::release(std::uint64_t position, std::uint64_t bytes) const noexcept {
  ::fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(position),
              static_cast<off_t>(bytes));
}

}  // namespace inkling
