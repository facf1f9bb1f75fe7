// Which of many strings come more than once, in bounded memory.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// 128 bits of a string (XXH3): two strings that have the same are taken for the same one. An empty one has none.
struct StringMark {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  [[nodiscard]] bool is_none() const noexcept { return high == 0 && low == 0; }
  auto operator<=>(const StringMark&) const = default;
};

[[nodiscard]] StringMark mark_of(std::string_view text) noexcept;

/// The mark of a text in which blanks and line ends only divide: one blank where it has several, none at its begin and end.
/// `scratch` is for memory that is used again.
[[nodiscard]] StringMark mark_of_words(std::string_view text, std::string& scratch);

/// Of each row one mark: 16 bytes in a temporary file. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class RepeatedStrings {
 public:
  explicit RepeatedStrings(const PoolStaging& staging) : marks_(staging) {}

  void append(std::span<const StringMark> marks) { marks_.append(std::as_bytes(marks)); }

  /// The rows whose string an earlier one has, and the first of these. Takes at most 32 MiB, and 8 bytes for each of them.
  [[nodiscard]] CopiedRows repeats() const;

 private:
  ScratchFile marks_;
};

}  // namespace inkling
