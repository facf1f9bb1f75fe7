#include "io/base/system/memory.hpp"

#include <memory>
#include <new>

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace inkling {
namespace {

constexpr std::size_t kSmallPageBytes = 4096;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void* allocate_large(std::size_t bytes) {
  const std::size_t length = rounded_up(bytes, kSmallPageBytes);
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
  // A hint: where the system has no large pages, these are small.
  ::madvise(from + before, length, MADV_HUGEPAGE);
  return from + before;
}

void* grow_large(void* memory, std::size_t bytes, std::size_t more) {
  // Reserves a place that begins at a large page, which mremap would not choose by itself.
  void* const larger = allocate_large(more);
  void* const moved = ::mremap(memory, rounded_up(bytes, kSmallPageBytes), rounded_up(more, kSmallPageBytes),
                               MREMAP_MAYMOVE | MREMAP_FIXED, larger);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
}

void free_large(void* memory, std::size_t bytes) noexcept { ::munmap(memory, rounded_up(bytes, kSmallPageBytes)); }

void prefer_large_pages(std::span<std::byte> memory) noexcept {
  void* begin = memory.data();
  std::size_t size = memory.size();
  if (std::align(kLargePageBytes, kLargePageBytes, begin, size) != nullptr)
    ::madvise(begin, size / kLargePageBytes * kLargePageBytes, MADV_HUGEPAGE);
}

void share_free_memory() noexcept {
  constexpr int most_heaps = 2;
  constexpr int large_bytes = 512 << 10;
  constexpr int kept_free_bytes = 4 << 20;
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs yet
  static_cast<void>(::mallopt(M_ARENA_MAX, most_heaps));
  static_cast<void>(::mallopt(M_MMAP_THRESHOLD, large_bytes));
  static_cast<void>(::mallopt(M_TRIM_THRESHOLD, kept_free_bytes));
  // NOLINTEND(concurrency-mt-unsafe)
}

void return_free_memory() noexcept { ::malloc_trim(0); }

std::uint64_t allocated_memory() noexcept {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t memory_of_machine() noexcept {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  return pages <= 0 ? UINT64_MAX : static_cast<std::uint64_t>(pages) * page_bytes();
}

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

}  // namespace inkling
