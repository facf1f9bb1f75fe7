#include "io/base/system/memory.hpp"

#include <new>

#include <malloc.h>
#include <sys/mman.h>

namespace inkling {

void* grow_large(void* memory, std::size_t bytes, std::size_t more) {
  // Reserves a place that begins at a large page, which mremap would not choose by itself.
  void* const larger = allocate_large(more);
  void* const moved = ::mremap(memory, bytes, more, MREMAP_MAYMOVE | MREMAP_FIXED, larger);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  return moved;
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
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#else  // which counts to 4 GiB, and then from 0 again
  const struct mallinfo info = ::mallinfo();
  return std::uint64_t{static_cast<std::uint32_t>(info.uordblks)} + static_cast<std::uint32_t>(info.hblkhd);
#endif
}

}  // namespace inkling
