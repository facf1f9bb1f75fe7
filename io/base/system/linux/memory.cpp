#include "io/base/system/memory.hpp"

#include <new>
#include <type_traits>

#include <malloc.h>
#include <sys/mman.h>

// Of glibc 2.33: a program that is made for older ones finds it, or does not, when it starts.
extern "C" [[gnu::weak]] struct mallinfo2 mallinfo2() noexcept;

namespace inkling {
namespace {

// Both have the same names. The older one counts up to 4 GB, and from 0 again.
template <typename Info>
std::uint64_t allocated_by(const Info& info) noexcept {
  using Count = std::make_unsigned_t<decltype(info.uordblks)>;
  return std::uint64_t{static_cast<Count>(info.uordblks)} + static_cast<Count>(info.hblkhd);
}

}  // namespace

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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
std::uint64_t allocated_memory() noexcept {
  return mallinfo2 != nullptr ? allocated_by(::mallinfo2()) : allocated_by(::mallinfo());
}
#pragma GCC diagnostic pop

}  // namespace inkling
