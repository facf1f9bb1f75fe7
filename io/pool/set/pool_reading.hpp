// The beginnings of reading a pool without mapping it: its manifest, its files' records, headers of arrays.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "io/pool/format/manifest.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/open/checked_reader.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {

/// Throws CorruptFileError, also where the folder is no pool, and SystemError.
[[nodiscard]] Manifest manifest_in(const PoolFolder& folder);

/// Throws CorruptFileError where the pool has no such file. Lifetime: lends the manifest.
[[nodiscard]] const FileRecord& record_in(const PoolFolder& folder, const Manifest& manifest,
                                          std::string_view name);

/// Reads the header of an array. Throws CorruptFileError unless it is one of `count` such numbers. Requires:
/// nothing was read yet.
template <typename Number>
void skip_npy_header(CheckedReader& reader, std::int64_t count) {
  std::array<std::byte, pool_npy_header_bytes> header{};
  const auto there = std::span(header).first(std::min<std::uint64_t>(header.size(), reader.bytes_in_file()));
  reader.read(there);
  check_npy_beginning(reader.path(), there, reader.bytes_in_file(), npy_descr<Number>, sizeof(Number), count);
}

}  // namespace inkling
