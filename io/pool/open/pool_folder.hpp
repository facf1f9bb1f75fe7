// The folder of a pool held open, so that its files are found even if its name changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/pool/format/manifest.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/open/pool_contents.hpp"

namespace inkling {

/// Thread safety: const after opening.
class PoolFolder {
 public:
  /// Throws SystemError, and CorruptFileError where the path is a file.
  explicit PoolFolder(std::string path);
  ~PoolFolder();
  PoolFolder(const PoolFolder&) = delete;
  PoolFolder& operator=(const PoolFolder&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::string path_of(std::string_view name) const;

  /// Whether the path still leads to this folder: a new pool may have taken its place.
  [[nodiscard]] bool is_in_place() const;

  /// Throws the CorruptFileError of a folder that is not a pool.
  [[noreturn]] void fail_without_manifest() const;

 private:
  std::string path_;
  int descriptor_;
};

/// A file of a pool, open to be read at any place. Thread safety: const from several threads.
class PoolFileReader {
 public:
  /// Throws CorruptFileError where the folder does not have the file, and SystemError.
  PoolFileReader(const PoolFolder& folder, const std::string& name);
  ~PoolFileReader();
  PoolFileReader(const PoolFileReader&) = delete;
  PoolFileReader& operator=(const PoolFileReader&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Throws CorruptFileError unless the file is as long as its record says.
  void check_size(const FileRecord& record) const;

  /// Fills `bytes` from `position` on, and returns how many there were: fewer only at the end of the file.
  [[nodiscard]] std::size_t read(std::uint64_t position, std::span<std::byte> bytes) const;

  /// The same, but throws CorruptFileError where the file has become shorter than its record says.
  void read_all(const FileRecord& record, std::uint64_t position, std::span<std::byte> bytes) const;

  /// A block of `kChecksumBlockBytes`; the last one may be shorter. Throws CorruptFileError where its checksum does
  /// not fit, if checksums are looked at.
  void read_block(const FileRecord& record, std::size_t index, PoolTrust trust,
                  std::vector<std::byte>& block) const;

 private:
  std::string path_;
  int descriptor_;
};

/// Throws CorruptFileError, also where the folder is not a pool, and SystemError.
[[nodiscard]] Manifest manifest_in(const PoolFolder& folder);

/// Throws CorruptFileError where the pool has no such file. Lifetime: lends the manifest.
[[nodiscard]] const FileRecord& record_in(const PoolFolder& folder, const Manifest& manifest,
                                          std::string_view name);

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
    std::array<std::byte, kPoolNpyHeaderBytes> header{};
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
