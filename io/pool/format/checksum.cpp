#include "io/pool/format/checksum.hpp"

#include <algorithm>

#include <xxhash.h>

#include "io/pool/format/pool_layout.hpp"

namespace inkling {

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> checksums;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(checksum_block_bytes, bytes.size()))) {
    checksums.push_back(checksum_of(bytes.first(std::min<std::size_t>(checksum_block_bytes, bytes.size()))));
  }
  return checksums;
}

}  // namespace inkling
