// Reads a file of a pool from its beginning to its end through one block of memory, checked as it passes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/pool/format/manifest.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/open/pool_contents.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {

/// Throws SystemError, and CorruptFileError where the file is not as long as its record says, becomes
/// shorter, or where a checksum does not fit. Thread safety: one thread at a time. Lifetime: the record
/// outlives it.
class CheckedReader {
 public:
  CheckedReader(const PoolFolder& folder, const FileRecord& record, PoolTrust trust);

  /// The next bytes. Requires: that many are left.
  void read(std::span<std::byte> bytes);

  template <typename Number>
  void read_numbers(std::span<Number> numbers) {
    read(std::as_writable_bytes(numbers));
  }

  /// Reads the header of an array. Throws CorruptFileError unless the file is an array of `count` such numbers.
  /// Requires: nothing was read yet.
  template <typename Number>
  void skip_npy_header(std::int64_t count) {
    std::array<std::byte, pool_npy_header_bytes> header{};
    const auto there = std::span(header).first(std::min<std::uint64_t>(header.size(), record_.bytes));
    read(there);
    check_npy_beginning(path(), there, record_.bytes, npy_descr<Number>, sizeof(Number), count);
  }

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::uint64_t bytes_in_file() const { return record_.bytes; }

 private:
  PoolFileReader file_;
  const FileRecord& record_;
  PoolTrust trust_;
  std::vector<std::byte> block_;
  std::size_t used_ = 0;  // bytes of the block that were handed over
  std::size_t blocks_read_ = 0;
};

}  // namespace inkling
