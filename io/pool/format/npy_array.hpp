// One-dimensional NumPy arrays of a pool, in memory that something else owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/pool/format/npy_header.hpp"

namespace inkling {

/// The numbers' bytes of an array of `count` numbers. Throws CorruptFileError naming `path` unless the file
/// is such an array, with a header of `pool_npy_header_bytes`, and holds nothing else. `bytes` begin at a
/// multiple of 8.
[[nodiscard]] std::span<const std::byte> npy_data(const std::string& path, std::span<const std::byte> bytes,
                                                  std::string_view descr, std::size_t number_bytes,
                                                  std::int64_t count);

/// The same from the beginning of a file alone, for those who read the rest later; `file_bytes` is its
/// length.
void check_npy_beginning(const std::string& path, std::span<const std::byte> beginning,
                         std::uint64_t file_bytes, std::string_view descr, std::size_t number_bytes,
                         std::int64_t count);

/// How many numbers the header says there are. Throws CorruptFileError as above.
[[nodiscard]] std::int64_t npy_count(const std::string& path, std::span<const std::byte> bytes);

template <typename Number>
[[nodiscard]] std::span<const Number> npy_numbers(const std::string& path, std::span<const std::byte> bytes,
                                                  std::int64_t count) {
  const std::span<const std::byte> data = npy_data(path, bytes, npy_descr<Number>, sizeof(Number), count);
  return {reinterpret_cast<const Number*>(data.data()), data.size() / sizeof(Number)};
}

}  // namespace inkling
