#include "io/base/file/large_memory.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("large memory begins with a large page and can be written to its end, whatever its size") {
  for (const std::size_t bytes : {kLargePageBytes, kLargePageBytes + 1, 3 * kLargePageBytes - 4097}) {
    CAPTURE(bytes);
    auto* const memory = static_cast<std::byte*>(allocate_large(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % kLargePageBytes == 0);
    memory[0] = std::byte{1};
    memory[bytes - 1] = std::byte{2};
    CHECK(memory[0] == std::byte{1});
    free_large(memory, bytes);
  }
}

TEST_CASE("a container keeps what it holds when it grows from the heap to large pages") {
  std::vector<std::uint64_t, LargeMemory<std::uint64_t>> numbers;
  constexpr std::uint64_t count = 3 * kLargePageBytes / sizeof(std::uint64_t);
  for (std::uint64_t n = 0; n < count; ++n) numbers.push_back(n * n);
  bool kept = true;
  for (std::uint64_t n = 0; n < count; ++n) kept = kept && numbers[n] == n * n;
  CHECK(kept);
}

TEST_CASE("an array that grows keeps its contents and new elements are zero") {
  LargeArray<std::uint32_t> array;
  std::uint32_t held = 0;
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, kLargePageBytes / 4 - 1, kLargePageBytes / 4,
                                 3 * kLargePageBytes / 4 + 5, 2 * kLargePageBytes, 8 * kLargePageBytes}) {
    CAPTURE(size);
    array.grow(size);
    REQUIRE(array.size() == size);
    bool right = true;
    for (std::uint32_t n = 0; n < size; ++n) right = right && array[n] == (n < held ? n + 1 : 0);
    CHECK(right);
    for (held = 0; held < size; ++held) array[held] = held + 1;
  }
}

TEST_CASE("arrays of any size can be moved") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, kLargePageBytes}) {
    LargeArray<float> array(size);
    CHECK(array.size() == size);
    if (size > 0) array[size - 1] = 2.0F;
    const LargeArray<float> other = std::move(array);
    CHECK(other.size() == size);
    if (size > 0) CHECK(other[size - 1] == 2.0F);
  }
  CHECK(LargeArray<float>().size() == 0);
}

}  // namespace
}  // namespace inkling
