#include "io/base/system/memory.hpp"

#include <memory>
#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace inkling {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// A hint: where the system has no large pages, these are small.
void advise_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  ::madvise(begin, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t length = rounded_up(bytes, page_bytes());
  const std::size_t mapped = length + kLargePageBytes;
  if (mapped < bytes) throw std::bad_alloc();
  void* const address = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  // Unmaps what lies before the first boundary of a large page, and the surplus at the end.
  char* const from = static_cast<char*>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t before = rounded_up(begin, kLargePageBytes) - begin;
  if (before > 0) ::munmap(from, before);
  if (before < kLargePageBytes) ::munmap(from + before + length, kLargePageBytes - before);
  advise_large_pages(from + before, length);
  return from + before;
}

void free_large(void* memory, std::size_t bytes) noexcept { ::munmap(memory, rounded_up(bytes, page_bytes())); }

void prefer_large_pages(std::span<std::byte> memory) noexcept {
  void* begin = memory.data();
  std::size_t size = memory.size();
  if (std::align(kLargePageBytes, kLargePageBytes, begin, size) != nullptr)
    advise_large_pages(begin, size / kLargePageBytes * kLargePageBytes);
}

std::uint64_t memory_of_machine() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  return pages <= 0 ? UINT64_MAX : static_cast<std::uint64_t>(pages) * page_bytes();
}

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace inkling
