#include "io/base/file/mapped_file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "engine/core/errors.hpp"
#include "io/base/file/file_identity.hpp"

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

// A list of tables that only grows, so that a signal handler can go through it at any time.
struct RegistrationTable {
  std::array<Registration, 512> entries;
  std::atomic<RegistrationTable*> next{nullptr};
};

RegistrationTable first_table;

// The table after this one, which is made where there is none yet.
RegistrationTable& table_after(RegistrationTable& table) {
  RegistrationTable* next = table.next;
  if (next != nullptr) return *next;
  auto made = std::make_unique<RegistrationTable>();
  // Where another thread was faster, its table is taken.
  if (table.next.compare_exchange_strong(next, made.get())) next = made.release();
  return *next;
}

Registration& free_registration() {
  for (RegistrationTable* table = &first_table;; table = &table_after(*table)) {
    for (Registration& entry : table->entries) {
      auto expected = Registration::State::free;
      if (entry.state.compare_exchange_strong(expected, Registration::State::being_filled)) return entry;
    }
  }
}

void fill(Registration& entry, std::span<const std::byte> bytes, std::string_view path) {
  path.remove_prefix(path.size() - std::min(path.size(), entry.path.size() - 1));
  entry.path.fill('\0');
  std::ranges::copy(path, entry.path.begin());
  entry.begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  entry.end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
  entry.state = Registration::State::live;
}

}  // namespace

MappedFile::MappedFile(const std::string& path)
    : MappedFile(open_regular_file(AT_FDCWD, path, path).number(), path) {}

MappedFile::MappedFile(int descriptor, const std::string& path) {
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) throw SystemError(path, errno, "cannot map");
  if (status.st_size == 0) return;  // nothing can be mapped, and nothing needs to be
  const auto size = static_cast<std::size_t>(status.st_size);
  Registration& registration = free_registration();
  void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (address == MAP_FAILED) {
    const int error = errno;
    registration.state = Registration::State::free;
    throw SystemError(path, error, "cannot map");
  }
  const auto* const begin = static_cast<const std::byte*>(address);
  fill(registration, {begin, size}, path);
  bytes_ = {begin, {.size = size, .registration = &registration}};
}

void MappedFile::Unmap::operator()(const std::byte* bytes) const noexcept {
  static_cast<Registration*>(registration)->state = Registration::State::free;
  ::munmap(const_cast<std::byte*>(bytes), size);
}

const char* mapped_path_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const RegistrationTable* table = &first_table; table != nullptr; table = table->next) {
    for (const Registration& entry : table->entries) {
      if (entry.state == Registration::State::live && at >= entry.begin && at < entry.end)
        return entry.path.data();
    }
  }
  return nullptr;
}

}  // namespace inkling
