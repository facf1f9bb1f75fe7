// Memory of large arrays, on large pages where the system has them: filling it takes a quarter of the time.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/base/system/memory.hpp"

namespace inkling {

/// For standard containers. Anything that is smaller than a large page comes from the heap.
template <typename Object>
struct LargeMemory {
  using value_type = Object;

  LargeMemory() = default;
  template <typename Other>
  explicit LargeMemory(const LargeMemory<Other>& /*other*/) noexcept {}

  [[nodiscard]] Object* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(Object)) throw std::bad_array_new_length();
    if (is_large(count)) return static_cast<Object*>(allocate_large(count * sizeof(Object)));
    return static_cast<Object*>(::operator new(count * sizeof(Object), std::align_val_t(alignof(Object))));
  }
  static bool is_large(std::size_t count) { return count * sizeof(Object) >= kLargePageBytes; }

  void deallocate(Object* objects, std::size_t count) noexcept {
    if (is_large(count)) return free_large(objects, count * sizeof(Object));
    ::operator delete(objects, std::align_val_t(alignof(Object)));
  }

  friend bool operator==(const LargeMemory& /*one*/, const LargeMemory& /*other*/) { return true; }
};

template <typename Object>
using LargeVector = std::vector<Object, LargeMemory<Object>>;

/// An array whose elements have no value yet. Move-only.
template <typename Number>
class LargeArray {
 public:
  static_assert(std::is_trivially_copyable_v<Number>);

  LargeArray() = default;
  explicit LargeArray(std::size_t size) : numbers_(size == 0 ? nullptr : LargeMemory<Number>().allocate(size), Free{size}) {}

  /// Keeps what it holds; every byte behind that is zero.
  void grow(std::size_t size) {
    using Memory = LargeMemory<Number>;
    const std::size_t held = this->size();
    if (Memory::is_large(held)) {
      void* const moved = grow_large(data(), held * sizeof(Number), size * sizeof(Number));
      static_cast<void>(numbers_.release());
      numbers_ = {static_cast<Number*>(moved), Free{size}};
      return;
    }
    LargeArray larger(size);
    if (held > 0) std::memcpy(larger.data(), data(), held * sizeof(Number));
    if (!Memory::is_large(size)) std::memset(static_cast<void*>(larger.data() + held), 0, (size - held) * sizeof(Number));
    *this = std::move(larger);
  }

  [[nodiscard]] Number* data() const noexcept { return numbers_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return numbers_ ? numbers_.get_deleter().size : 0; }
  [[nodiscard]] Number& operator[](std::size_t place) const noexcept { return data()[place]; }

 private:
  struct Free {
    std::size_t size = 0;
    void operator()(Number* numbers) const noexcept { LargeMemory<Number>().deallocate(numbers, size); }
  };
  std::unique_ptr<Number, Free> numbers_;
};

}  // namespace inkling
