#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include <sys/mman.h>

#include "io/base/system/mapping.hpp"
#include "io/base/system/memory.hpp"

namespace inkling {
namespace {

// The slot of one mapped file, reused and never freed, because a signal handler may walk the list at any time.
struct MappedPlace {
  std::atomic<std::uintptr_t> begin = 0;  // 0: the slot is free
  std::atomic<std::uintptr_t> end = 0;
  std::atomic<bool> is_cut = false;
  std::string path;  // guarded by the mutex
  MappedPlace* next = nullptr;
};

std::atomic<MappedPlace*> mapped_places = nullptr;
std::atomic<int> cut_files = 0;
std::mutex places_mutex;
std::uintptr_t bytes_of_page = 0;
struct sigaction action_before = {};

template <typename Is>
MappedPlace* place_that(const Is& is) noexcept {
  MappedPlace* place = mapped_places.load();
  while (place != nullptr && !is(*place)) place = place->next;
  return place;
}

// Maps zeros from the missing page to the end of the file. Async-signal-safe: uses only atomics and system calls.
extern "C" void read_as_zeros(int signal, siginfo_t* info, void* /*context*/) {
  const int error_before = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto holds_address = [&](const MappedPlace& one) { return address >= one.begin.load() && address < one.end.load(); };
  const MappedPlace* const place = place_that(holds_address);
  if (info->si_code == BUS_ADRERR && place != nullptr) {
    const std::uintptr_t page = address / bytes_of_page * bytes_of_page;
    const std::uintptr_t end = (place->end.load() + bytes_of_page - 1) / bytes_of_page * bytes_of_page;
    void* const zeros = ::mmap(reinterpret_cast<void*>(page), end - page,  // NOLINT: an address
                               PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (zeros != MAP_FAILED) {
      // Several owners may have noted the same mapping; each of them forgets it.
      for (MappedPlace* one = mapped_places.load(); one != nullptr; one = one->next)
        if (holds_address(*one) && !one->is_cut.exchange(true)) ++cut_files;
      errno = error_before;
      return;
    }
  }
  ::sigaction(signal, &action_before, nullptr);  // the access is repeated, with the effect it had before
  if (info->si_code != BUS_ADRERR) ::raise(signal);
}

}  // namespace

void note_mapped(const std::byte* bytes, std::size_t size, const std::string& path) {
  const std::scoped_lock lock(places_mutex);
  MappedPlace* place = place_that([](const MappedPlace& one) { return one.begin.load() == 0; });
  if (place == nullptr) {
    place = new MappedPlace;  // NOLINT(cppcoreguidelines-owning-memory): never freed
    place->next = mapped_places.load();
    mapped_places.store(place);
  }
  place->path = path;
  place->end.store(reinterpret_cast<std::uintptr_t>(bytes) + size);
  place->begin.store(reinterpret_cast<std::uintptr_t>(bytes));
}

void forget_mapped(const std::byte* bytes) noexcept {
  const std::scoped_lock lock(places_mutex);
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes);
  MappedPlace* const place = place_that([&](const MappedPlace& one) { return one.begin.load() == begin; });
  if (place == nullptr) return;
  place->begin.store(0);
  place->end.store(0);
  if (place->is_cut.exchange(false)) --cut_files;
}

void outlive_cut_files() {
  static const bool installed = [] {
    bytes_of_page = page_bytes();
    struct sigaction action = {};
    action.sa_sigaction = read_as_zeros;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    return ::sigaction(SIGBUS, &action, &action_before) == 0;
  }();
  static_cast<void>(installed);
}

bool has_cut_files() noexcept { return cut_files.load(std::memory_order_relaxed) != 0; }

std::optional<std::string> cut_file() {
  const std::scoped_lock lock(places_mutex);
  const MappedPlace* const cut = place_that([](const MappedPlace& one) { return one.is_cut.load(); });
  return cut == nullptr ? std::nullopt : std::optional(cut->path);
}

}  // namespace inkling
