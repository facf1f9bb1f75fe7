// The checksum of pools; it finds accidents, not forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inkling {

/// XXH3, 64 bits, with its default secret and no seed.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept;

/// Of each block of `checksum_block_bytes` in order; the last may be shorter, and no bytes have no block.
[[nodiscard]] std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes);

}  // namespace inkling
