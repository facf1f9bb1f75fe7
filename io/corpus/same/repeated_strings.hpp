// Which of many strings come more than once, in bounded memory.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "io/corpus/pool/format/row_copies.hpp"
#include "io/corpus/pool/write/staged_file.hpp"

namespace inkling {

/// 128 bits of a string (XXH3). Strings with the same mark are taken to be equal. An empty string has no mark.
struct StringMark {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  [[nodiscard]] bool is_none() const noexcept { return high == 0 && low == 0; }
  auto operator<=>(const StringMark&) const = default;
};

[[nodiscard]] StringMark mark_of(std::string_view text) noexcept;

/// The mark of a text after each run of blanks and line ends became one blank, and those at its begin and end were
/// removed. `scratch` keeps memory from call to call.
[[nodiscard]] StringMark mark_of_words(std::string_view text, std::string& scratch);

/// Fills `marks` with those of the rows from `first` on.
using ReadMarks = std::function<void(std::uint64_t first, std::span<StringMark> marks)>;

/// Which of `rows` rows repeat the mark of an earlier one, each with the first row that has it. `memory`: bytes to sort in; all
/// marks are read once for each time that 24 bytes a row exceed it. It takes 16 more for each row found.
[[nodiscard]] CopiedSetRows repeated_marks(std::uint64_t rows, const ReadMarks& read, std::uint64_t memory);

/// Collects one mark for each row: 16 bytes in a temporary file. Thread safety: one thread at a time. Lifetime: the
/// staging outlives it.
class RepeatedStrings {
 public:
  explicit RepeatedStrings(const PoolStaging& staging) : marks_(staging) {}

  static constexpr std::uint64_t kMemory = std::uint64_t{32} << 20U;

  void append(std::span<const StringMark> marks) { marks_.append(std::as_bytes(marks)); }
  [[nodiscard]] std::uint64_t rows() const { return marks_.size() / sizeof(StringMark); }
  void read(std::uint64_t first, std::span<StringMark> marks) const;

  /// Writes all marks as an array, two numbers each.
  void write(PoolStaging& staging, std::string_view name) const;

  /// The rows that repeat the string of an earlier row, each with the first row that has it. Takes at most 32 MiB, and 8
  /// bytes for each of them.
  [[nodiscard]] CopiedRows repeats() const;

 private:
  ScratchFile marks_;
};

}  // namespace inkling
