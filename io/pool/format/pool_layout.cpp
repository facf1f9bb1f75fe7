#include "io/pool/format/pool_layout.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "io/file/digit_groups.hpp"

namespace inkling {

std::string pool_file_path(std::string_view pool, std::string_view name) {
  return fmt::format("{}{}{}", pool, pool.ends_with('/') ? "" : "/", name);
}

std::string file_size_problem(std::uint64_t bytes, std::uint64_t expected) {
  return fmt::format("{}: {} bytes of {}", bytes < expected ? "truncated" : "too long", digit_groups(bytes),
                     digit_groups(expected));
}

std::string block_problem(std::uint64_t position, std::uint64_t bytes) {
  return fmt::format("damaged: the {} bytes from {} on are not what was written", digit_groups(bytes),
                     digit_groups(position));
}

std::uint64_t checksum_of(std::span<const std::byte> bytes) noexcept {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<std::uint64_t> block_checksums(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> checksums;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(kChecksumBlockBytes, bytes.size()))) {
    checksums.push_back(checksum_of(bytes.first(std::min<std::size_t>(kChecksumBlockBytes, bytes.size()))));
  }
  return checksums;
}

}  // namespace inkling
