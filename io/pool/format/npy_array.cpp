#include "io/pool/format/npy_array.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "io/file/corrupt_file_error.hpp"
#include "io/file/digit_groups.hpp"

namespace inkling {
namespace {

NpyHeader header_of(const std::string& path, std::span<const std::byte> bytes) {
  try {
    return parse_npy_header(path, bytes);
  } catch (const FormatError& error) {
    throw CorruptFileError(error.where(), error.expectation());
  }
}

}  // namespace

std::span<const std::byte> npy_data(const std::string& path, std::span<const std::byte> bytes,
                                    std::string_view descr, std::size_t number_bytes, std::int64_t count) {
  assert(reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 == 0);
  check_npy_beginning(path, bytes, bytes.size(), descr, number_bytes, count);
  return bytes.subspan(pool_npy_header_bytes);
}

void check_npy_beginning(const std::string& path, std::span<const std::byte> beginning,
                         std::uint64_t file_bytes, std::string_view descr, std::size_t number_bytes,
                         std::int64_t count) {
  const NpyHeader header = header_of(path, beginning);
  if (header.descr != descr || header.fortran_order || header.shape.size() != 1) {
    throw CorruptFileError(path, fmt::format("expected a one-dimensional array of '{}'", descr));
  }
  if (header.shape.front() != count) {
    throw CorruptFileError(path, fmt::format("expected {} numbers, found {}", count, header.shape.front()));
  }
  if (header.data_offset != pool_npy_header_bytes) {
    throw CorruptFileError(path, fmt::format("expected a header of {} bytes, found {}", pool_npy_header_bytes,
                                             header.data_offset));
  }
  const std::uint64_t data_bytes = file_bytes - std::min(file_bytes, pool_npy_header_bytes);
  if (data_bytes % number_bytes != 0 || data_bytes / number_bytes != static_cast<std::uint64_t>(count)) {
    throw CorruptFileError(path, fmt::format("expected {} bytes of numbers, found {}",
                                             digit_groups(static_cast<std::uint64_t>(count) * number_bytes),
                                             digit_groups(data_bytes)));
  }
}

std::int64_t npy_count(const std::string& path, std::span<const std::byte> bytes) {
  const NpyHeader header = header_of(path, bytes);
  if (header.shape.size() != 1) throw CorruptFileError(path, "expected a one-dimensional array");
  return header.shape.front();
}

}  // namespace inkling
