// The entries of one document as bytes: how TermCountsWriter writes them and TermCountsReader reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "io/corpus/terms/term_table.hpp"

namespace inkling {

/// One term after the other, or four at once, by an instruction that moves bytes within 16 of them (SSSE3). The bytes
/// are the same.
enum class TermCoding { plain, by_fours };

/// Whether this processor can.
[[nodiscard]] bool can_code(TermCoding coding) noexcept;
[[nodiscard]] TermCoding fastest_term_coding() noexcept;

inline constexpr std::size_t kLongestNumber = 5;

/// Seven bits a byte, the lowest first; the eighth says that more follow. Returns where it ends. Requires: room for
/// kLongestNumber bytes.
std::byte* write_number(std::byte* out, std::uint32_t number);
/// Nothing where that is no number of 32 bits. Requires: kLongestNumber bytes may be read.
[[nodiscard]] std::optional<std::uint32_t> read_number(const std::byte*& in);

/// The first bytes of a document's entries, which tell how long each term is.
[[nodiscard]] std::size_t length_bytes(std::size_t entries);
/// No document of so many entries takes more bytes, or lets more be read or written.
[[nodiscard]] std::size_t most_entry_bytes(std::size_t entries);

/// Returns where they end. Requires: room for most_entry_bytes(), terms below 2^31, counts of at least 1.
[[nodiscard]] std::byte* write_entries(std::byte* out, std::span<const TermCount> document,
                                       TermCoding coding);
/// Returns where they end, or nullptr where a count is none. Requires: most_entry_bytes() may be read, whatever they
/// are.
[[nodiscard]] const std::byte* read_entries(const std::byte* in, std::span<TermCount> document,
                                            TermCoding coding);

}  // namespace inkling
