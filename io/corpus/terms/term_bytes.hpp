// The entries of one document as bytes: how TermCountsWriter writes them and TermCountsReader reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// One term at a time, or four at once by an instruction that permutes 16 bytes (SSSE3). Both write the same bytes.
enum class TermCoding { plain, by_fours };

/// Whether this processor can do that.
[[nodiscard]] bool can_code(TermCoding coding) noexcept;
[[nodiscard]] TermCoding fastest_term_coding() noexcept;

inline constexpr std::size_t kLongestNumber = 5;

/// Writes seven bits in each byte, the lowest first; the eighth bit says that more follow. Returns the end. Requires:
/// room for kLongestNumber bytes.
std::byte* write_number(std::byte* out, std::uint32_t number);
/// Nothing if it is not a number of 32 bits. Requires: kLongestNumber bytes may be read.
[[nodiscard]] std::optional<std::uint32_t> read_number(const std::byte*& in);

/// How many bytes at the begin of a document's entries tell the lengths of its terms.
[[nodiscard]] std::size_t length_bytes(std::size_t entries);
/// The most bytes that a document with so many entries takes, and that may be read or written for it.
[[nodiscard]] std::size_t most_entry_bytes(std::size_t entries);

/// Returns the end. Requires: room for most_entry_bytes(), terms below 2^31, counts of at least 1.
[[nodiscard]] std::byte* write_entries(std::byte* out, std::span<const TermCount> document, TermCoding coding);
/// Returns the end, or nullptr if a count is invalid. Requires: most_entry_bytes() may be read; they may hold anything.
[[nodiscard]] const std::byte* read_entries(const std::byte* in, std::span<TermCount> document, TermCoding coding);

}  // namespace inkling
