// Memory of large arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace inkling {

inline constexpr std::size_t kLargePageBytes = std::size_t{1} << 21U;

/// Fresh memory, all zeros; every part of it that fills a large page lies on one, where the system has large pages. Throws
/// std::bad_alloc. Thread safety: any thread.
[[nodiscard]] void* allocate_large(std::size_t bytes);
/// The same memory with more behind it, which is fresh; it may move. Throws std::bad_alloc, and then nothing has changed.
/// Requires: `bytes` are those that were asked for, at least a large page; bytes <= more.
[[nodiscard]] void* grow_large(void* memory, std::size_t bytes, std::size_t more);
/// Requires: `bytes` are those that were asked for.
void free_large(void* memory, std::size_t bytes) noexcept;

/// A hint for memory of the heap that is not used yet: large pages are fewer, so that it is soon there.
void prefer_large_pages(std::span<std::byte> memory) noexcept;

/// For a server, of which thousands of searches come and go: threads share what is free, and what is large goes back to the
/// system. A vector of all features of a usual pool, which an answer needs for a short time, is not large. Requires: no
/// other thread runs yet.
void share_free_memory() noexcept;

/// Gives the system back what was freed.
void return_free_memory() noexcept;
/// What is allocated from the heap and not freed.
[[nodiscard]] std::uint64_t allocated_memory() noexcept;

/// Of the whole machine; UINT64_MAX where that is not known.
[[nodiscard]] std::uint64_t memory_of_machine() noexcept;
/// The unit in which the system counts memory.
[[nodiscard]] std::size_t page_bytes() noexcept;

}  // namespace inkling
