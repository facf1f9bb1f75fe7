// Text that may be read a little past its end, for code that takes many bytes at a time.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace inkling {

/// This many bytes after a padded text may be read; they are zeros or other text.
inline constexpr std::size_t kTextPadding = 64;

/// Owns a text followed by `kTextPadding` zeros. Move-only, because it holds megabytes; memory is kept when
/// the text gets shorter, and new room is not filled with zeros before it is filled with text.
/// Lifetime: view() is valid until the text changes, moves or dies.
class PaddedText {
 public:
  PaddedText() = default;
  explicit PaddedText(std::string_view text) { append(text); }

  PaddedText(const PaddedText&) = delete;
  PaddedText& operator=(const PaddedText&) = delete;
  PaddedText(PaddedText&& other) noexcept { swap(other); }
  PaddedText& operator=(PaddedText&& other) noexcept {
    PaddedText taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~PaddedText() = default;

  /// Requires: `text` is not a part of this one.
  void append(std::string_view text) {
    if (!text.empty()) std::memcpy(extend(text.size()), text.data(), text.size());
  }
  void clear() { truncate(0); }

  /// Makes room for `more` bytes at the end and returns them, to be filled; shrink with `truncate`.
  [[nodiscard]] char* extend(std::size_t more) {
    reserve(size_ + more);
    char* const room = bytes_.get() + size_;
    size_ += more;
    pad();
    return room;
  }

  /// Requires: size <= size().
  void truncate(std::size_t size) {
    assert(size <= size_);
    size_ = size;
    if (bytes_) pad();
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::string_view view() const& {
    static constexpr char nothing[kTextPadding] = {};
    return bytes_ ? std::string_view(bytes_.get(), size_) : std::string_view(nothing);
  }
  std::string_view view() const&& = delete;

  void swap(PaddedText& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  void reserve(std::size_t size) {
    if (bytes_ && size <= capacity_) return;
    const std::size_t capacity = std::max(size, capacity_ * 2);
    // realloc moves large blocks page by page, so their bytes are never in memory twice.
    void* const larger = std::realloc(bytes_.get(), capacity + kTextPadding);
    if (larger == nullptr) throw std::bad_alloc();
    static_cast<void>(bytes_.release());
    bytes_.reset(static_cast<char*>(larger));
    capacity_ = capacity;
  }
  void pad() { std::memset(bytes_.get() + size_, 0, kTextPadding); }

  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<char, Free> bytes_;  // capacity_ + text_padding of them; none until there is text
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace inkling
