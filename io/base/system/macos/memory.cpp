#include "io/base/system/memory.hpp"

#include <cstring>

#include <malloc/malloc.h>

namespace inkling {

void* grow_large(void* memory, std::size_t bytes, std::size_t more) {
  void* const larger = allocate_large(more);
  std::memcpy(larger, memory, bytes);
  free_large(memory, bytes);
  return larger;
}

void share_free_memory() noexcept {}

void return_free_memory() noexcept { ::malloc_zone_pressure_relief(nullptr, 0); }

std::uint64_t allocated_memory() noexcept {
  malloc_statistics_t all = {};
  ::malloc_zone_statistics(nullptr, &all);
  return all.size_in_use;
}

}  // namespace inkling
