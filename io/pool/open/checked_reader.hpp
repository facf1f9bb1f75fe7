// Reads a file of a pool from its beginning to its end through one block of memory, checked as it passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/manifest.hpp"
#include "io/pool/open/pool_contents.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {

/// Throws SystemError, and CorruptFileError where the file is not as long as its record says, becomes
/// shorter, or where a checksum does not fit. Thread safety: one thread at a time. Lifetime: the record
/// outlives it.
class CheckedReader {
 public:
  CheckedReader(const PoolFolder& folder, const FileRecord& record, PoolTrust trust);
  ~CheckedReader();
  CheckedReader(const CheckedReader&) = delete;
  CheckedReader& operator=(const CheckedReader&) = delete;

  /// The next bytes. Requires: there are so many left.
  void read(std::span<std::byte> bytes);

  template <typename Number>
  void read_numbers(std::span<Number> numbers) {
    read(std::as_writable_bytes(numbers));
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint64_t bytes_in_file() const { return record_.bytes; }

 private:
  void read_block();

  std::string path_;
  const FileRecord& record_;
  PoolTrust trust_;
  int descriptor_;
  std::vector<std::byte> block_;
  std::size_t used_ = 0;  // of the block
  std::size_t blocks_read_ = 0;
};

/// The whole of a small file. Throws SystemError; ENOENT where there is none.
[[nodiscard]] std::string read_small_file(const PoolFolder& folder, std::string_view name);

}  // namespace inkling
