// Memory of large arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace inkling {

inline constexpr std::size_t kLargePageBytes = std::size_t{1} << 21U;

/// Fresh memory, all zeros. It begins at a boundary of a large page, so that large pages can hold it if the system has them.
/// Throws std::bad_alloc. Thread safety: any thread.
[[nodiscard]] void* allocate_large(std::size_t bytes);
/// Enlarges the memory from `bytes` to `more`, with zeros at its end; it may move. Throws std::bad_alloc, and then nothing has
/// changed. Requires: `bytes` is the size that was requested, at least a large page; bytes <= more.
[[nodiscard]] void* grow_large(void* memory, std::size_t bytes, std::size_t more);
/// Requires: `bytes` is the size that was requested.
void free_large(void* memory, std::size_t bytes) noexcept;

/// A hint for heap memory that is not used yet: with large pages it has fewer pages, so the system provides it faster.
void prefer_large_pages(std::span<std::byte> memory) noexcept;

/// For a server that opens and closes thousands of searches: threads share few heaps, and large blocks that are freed go back to
/// the system. A vector of all features of a usual pool, which an answer needs for a short time, is below that size. Requires: no
/// other thread runs yet.
void share_free_memory() noexcept;

/// Returns freed memory to the system.
void return_free_memory() noexcept;
/// The bytes that are allocated from the heap now.
[[nodiscard]] std::uint64_t allocated_memory() noexcept;

/// The memory of the whole machine; UINT64_MAX if that is not known.
[[nodiscard]] std::uint64_t memory_of_machine() noexcept;
/// The unit in which the system counts memory.
[[nodiscard]] std::size_t page_bytes() noexcept;

}  // namespace inkling
