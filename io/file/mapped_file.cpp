#include "io/file/mapped_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

// What a signal handler may look at while mappings come and go: a slot is filled before it is live, and is
// no longer live when its mapping goes.
struct Registration {
  enum class State : int { free, being_filled, live };

  std::atomic<State> state{State::free};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::array<char, 512> path{};
};
static_assert(std::atomic<Registration::State>::is_always_lock_free &&
              std::atomic<std::uintptr_t>::is_always_lock_free);

std::array<Registration, 512> registrations;

int register_mapping(std::span<const std::byte> bytes, std::string_view path) {
  for (std::size_t slot = 0; slot < registrations.size(); ++slot) {
    Registration& entry = registrations[slot];
    auto expected = Registration::State::free;
    if (!entry.state.compare_exchange_strong(expected, Registration::State::being_filled)) continue;
    path.remove_prefix(path.size() - std::min(path.size(), entry.path.size() - 1));
    entry.path.fill('\0');
    std::ranges::copy(path, entry.path.begin());
    entry.begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    entry.end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
    entry.state = Registration::State::live;
    return static_cast<int>(slot);
  }
  return -1;
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : MappedFile(AT_FDCWD, path, path) {}

MappedFile::MappedFile(int folder, const std::string& name, const std::string& path) {
  const int descriptor = ::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw SystemError(path, errno, "cannot open");
  const int error = map(descriptor);
  ::close(descriptor);
  if (error != 0) throw SystemError(path, error, "cannot map");
  if (!bytes_.empty()) registration_ = register_mapping(bytes_, path);
}

MappedFile::~MappedFile() { unmap(); }

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), registration_(std::exchange(other.registration_, -1)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  unmap();
  bytes_ = std::exchange(other.bytes_, {});
  registration_ = std::exchange(other.registration_, -1);
  return *this;
}

int MappedFile::map(int descriptor) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  if (status.st_size == 0) return 0;  // nothing can be mapped, and nothing needs to be
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) return errno;
  bytes_ = {static_cast<const std::byte*>(address), size};
  return 0;
}

void MappedFile::unmap() noexcept {
  if (registration_ >= 0) {
    registrations[static_cast<std::size_t>(registration_)].state = Registration::State::free;
    registration_ = -1;
  }
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  bytes_ = {};
}

void forget_pages(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return;
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
  ::madvise(const_cast<std::byte*>(bytes.data() - before), bytes.size() + before, MADV_DONTNEED);
}

const char* mapped_path_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Registration& entry : registrations) {
    if (entry.state == Registration::State::live && at >= entry.begin && at < entry.end)
      return entry.path.data();
  }
  return nullptr;
}

}  // namespace inkling
