// Reads a file of a pool at any place, checked where it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/manifest.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/open/pool_contents.hpp"
#include "io/pool/open/pool_folder.hpp"

namespace inkling {

/// Checks the whole of a block of the file against its checksum when something in it is read for the first
/// time. Opens the file for each reading, so that a set of many pools needs few descriptors.
///
/// Throws SystemError, and CorruptFileError where the file is not as long as its record says or a checksum
/// does not fit. Lifetime: the folder and the record outlive it. Thread safety: const from several threads.
class CheckedFile {
 public:
  CheckedFile(const PoolFolder& folder, const FileRecord& record, PoolTrust trust);

  [[nodiscard]] std::string path() const { return folder_.path_of(record_.name); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return record_.bytes; }

  /// Throws CorruptFileError unless the file is an array of `count` such numbers.
  template <typename Number>
  void check_is_array(std::int64_t count) const {
    check_is_array(npy_descr<Number>, sizeof(Number), count);
  }

  /// The numbers of an array from `first` on. Requires: check_is_array, as many numbers.
  template <typename Number>
  void read_numbers(std::int64_t first, std::span<Number> numbers) const {
    read(pool_npy_header_bytes + static_cast<std::uint64_t>(first) * sizeof(Number),
         std::as_writable_bytes(numbers));
  }

  /// Requires: the file has so many bytes.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

 private:
  void check_is_array(std::string_view descr, std::size_t number_bytes, std::int64_t count) const;
  [[nodiscard]] bool is_known_good(std::size_t block) const;

  const PoolFolder& folder_;
  const FileRecord& record_;
  mutable std::mutex known_;
  mutable std::vector<bool> is_good_;  // by block; empty where checksums are not looked at
};

}  // namespace inkling
