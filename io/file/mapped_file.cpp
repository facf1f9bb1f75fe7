#include "io/file/mapped_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/file/output_file.hpp"

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
  const Descriptor file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) throw SystemError(path, errno, "cannot open");
  const auto fail = [&](int error) { throw SystemError(path, error, "cannot map"); };
  struct stat status = {};
  if (::fstat(file.number(), &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) fail(S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
  if (status.st_size == 0) return;  // nothing can be mapped, and nothing needs to be
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number(), 0);
  if (address == MAP_FAILED) fail(errno);
  const auto* const begin = static_cast<const std::byte*>(address);
  bytes_ = {begin, {.size = size, .registration = register_mapping({begin, size}, path)}};
}

void MappedFile::Unmap::operator()(const std::byte* bytes) const noexcept {
  if (registration >= 0)
    registrations[static_cast<std::size_t>(registration)].state = Registration::State::free;
  ::munmap(const_cast<std::byte*>(bytes), size);
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
