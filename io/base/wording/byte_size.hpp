// Sizes in bytes as a person types them and reads them: "64M" is 64 times 1024 times 1024.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace inkling {

/// Reads decimal digits with at most one of K, M, G and T after them, each 1024 times the one before. Nothing
/// for any other text, and for a size that does not fit.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_size(std::string_view text);

/// In the largest unit that leaves at least 1: "812", "64M"; with one decimal where it is not a whole number:
/// "4.9M". Only a size without a decimal point is exact and reads back the same.
[[nodiscard]] std::string byte_size_text(std::uint64_t bytes);

}  // namespace inkling
