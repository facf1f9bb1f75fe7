// The ids of rows or columns as they lie in memory: a mapped file, or an array of another library.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace inkling {

/// Ids that may change after they were checked: a mapped file may be overwritten, or its disk corrupted after a recorded check.
/// So each id is read once, and one that is negative or too large is read as the largest id allowed. So no id indexes beyond an
/// array with an entry for each. Their order is not guaranteed. Lifetime: lends them. Pass by value.
class IdView {
 public:
  class Iterator;
  using value_type = std::int32_t;

  IdView() noexcept = default;

  /// Ids in memory of our own, which were checked. Implicit, as the constructor of a span is.
  template <typename Ids>
    requires(!std::same_as<Ids, IdView> && std::convertible_to<const Ids&, std::span<const std::int32_t>>)
  IdView(const Ids& ids) noexcept  // NOLINT(google-explicit-constructor)
      : ids_(std::span<const std::int32_t>(ids)) {}

  IdView(const std::int32_t* ids, std::size_t count) noexcept : ids_(ids, count) {}

  /// Each id is read as one below `count`.
  IdView(std::span<const std::int32_t> ids, std::int32_t count) noexcept
      : ids_(ids), last_(static_cast<std::uint32_t>(std::max(count, 1)) - 1) {}

  [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ids_.empty(); }

  /// Requires: n < size() (here and below).
  [[nodiscard]] std::int32_t operator[](std::size_t n) const noexcept { return read(ids_.data() + n, last_); }
  [[nodiscard]] std::int32_t front() const noexcept { return (*this)[0]; }
  [[nodiscard]] std::int32_t back() const noexcept { return (*this)[size() - 1]; }

  /// The id less `first`, limited to 0 ... count - 1. Requires: count > 0.
  [[nodiscard]] std::size_t place_within(std::size_t n, std::int32_t first, std::size_t count) const noexcept {
    const std::uint32_t id = load(ids_.data() + n) - static_cast<std::uint32_t>(first);
    return std::min<std::size_t>(id, count - 1);
  }

  [[nodiscard]] IdView subspan(std::size_t first, std::size_t count = std::dynamic_extent) const noexcept {
    return {ids_.subspan(first, count), last_};
  }
  [[nodiscard]] IdView first(std::size_t count) const noexcept { return {ids_.first(count), last_}; }

  [[nodiscard]] Iterator begin() const noexcept;
  [[nodiscard]] Iterator end() const noexcept;

  /// The ids as they are, any of which may be invalid: for code that checks each.
  [[nodiscard]] std::span<const std::int32_t> unchecked() const noexcept { return ids_; }

 private:
  IdView(std::span<const std::int32_t> ids, std::uint32_t last) noexcept : ids_(ids), last_(last) {}

  /// Reads memory once, so that the value compared is the value used.
  [[nodiscard]] static std::uint32_t load(const std::int32_t* at) noexcept {
    return static_cast<std::uint32_t>(__atomic_load_n(at, __ATOMIC_RELAXED));
  }
  [[nodiscard]] static std::int32_t read(const std::int32_t* at, std::uint32_t last) noexcept {
    return static_cast<std::int32_t>(std::min(load(at), last));
  }

  std::span<const std::int32_t> ids_;
  std::uint32_t last_ = std::numeric_limits<std::int32_t>::max();
};

class IdView::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using value_type = std::int32_t;
  using pointer = const std::int32_t*;
  using reference = std::int32_t;

  Iterator() noexcept = default;
  Iterator(const std::int32_t* at, std::uint32_t last) noexcept : at_(at), last_(last) {}

  [[nodiscard]] std::int32_t operator*() const noexcept { return read(at_, last_); }
  [[nodiscard]] std::int32_t operator[](difference_type n) const noexcept { return read(at_ + n, last_); }

  Iterator& operator+=(difference_type n) noexcept {
    at_ += n;
    return *this;
  }
  Iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  Iterator& operator++() noexcept { return *this += 1; }
  Iterator& operator--() noexcept { return *this += -1; }
  Iterator operator++(int) noexcept { return {std::exchange(at_, at_ + 1), last_}; }
  Iterator operator--(int) noexcept { return {std::exchange(at_, at_ - 1), last_}; }

  friend Iterator operator+(Iterator iterator, difference_type n) noexcept { return iterator += n; }
  friend Iterator operator+(difference_type n, Iterator iterator) noexcept { return iterator += n; }
  friend Iterator operator-(Iterator iterator, difference_type n) noexcept { return iterator -= n; }
  friend difference_type operator-(Iterator left, Iterator right) noexcept { return left.at_ - right.at_; }
  friend bool operator==(Iterator left, Iterator right) noexcept { return left.at_ == right.at_; }
  friend auto operator<=>(Iterator left, Iterator right) noexcept { return left.at_ <=> right.at_; }

 private:
  const std::int32_t* at_ = nullptr;
  std::uint32_t last_ = 0;
};

inline IdView::Iterator IdView::begin() const noexcept { return {ids_.data(), last_}; }
inline IdView::Iterator IdView::end() const noexcept { return {ids_.data() + ids_.size(), last_}; }

}  // namespace inkling

template <>
inline constexpr bool std::ranges::enable_borrowed_range<inkling::IdView> = true;
