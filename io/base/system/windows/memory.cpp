#include "io/base/system/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "io/base/system/windows/handles.hpp"

namespace inkling {

void* allocate_large(std::size_t bytes) {
  const std::size_t reserved = std::max<std::size_t>(bytes, 1) + kLargePageBytes;
  if (reserved < bytes) throw std::bad_alloc();
  // A part of what is reserved cannot be given back, so the place is found first; another thread may take it before us.
  constexpr int tries = 100;
  for (int n = 0; n < tries; ++n) {
    void* const place = ::VirtualAlloc(nullptr, reserved, MEM_RESERVE, PAGE_NOACCESS);
    if (place == nullptr) break;
    ::VirtualFree(place, 0, MEM_RELEASE);
    const auto begin = (reinterpret_cast<std::uintptr_t>(place) + kLargePageBytes - 1) / kLargePageBytes * kLargePageBytes;
    void* const memory = ::VirtualAlloc(reinterpret_cast<void*>(begin), std::max<std::size_t>(bytes, 1),  // NOLINT: an address
                                        MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory != nullptr) return memory;
    if (::GetLastError() != ERROR_INVALID_ADDRESS) break;
  }
  throw std::bad_alloc();
}

void* grow_large(void* memory, std::size_t bytes, std::size_t more) {
  void* const larger = allocate_large(more);
  std::memcpy(larger, memory, bytes);
  free_large(memory, bytes);
  return larger;
}

void free_large(void* memory, std::size_t /*bytes*/) noexcept { ::VirtualFree(memory, 0, MEM_RELEASE); }

void prefer_large_pages(std::span<std::byte> /*memory*/) noexcept {}
void share_free_memory() noexcept {}
void return_free_memory() noexcept { ::HeapCompact(::GetProcessHeap(), 0); }

std::uint64_t allocated_memory() noexcept {
  PROCESS_MEMORY_COUNTERS counters = {};
  return ::K32GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters) != 0 ? counters.PagefileUsage : 0;
}

std::uint64_t memory_of_machine() noexcept {
  MEMORYSTATUSEX status = {};
  status.dwLength = sizeof status;
  return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : UINT64_MAX;
}

std::size_t page_bytes() noexcept {
  SYSTEM_INFO info = {};
  ::GetSystemInfo(&info);
  return info.dwPageSize;
}

}  // namespace inkling
