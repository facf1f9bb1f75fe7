// Writers of the files of a pool in staging: plain bytes, NumPy arrays, lines and tables of strings, all
// checksummed as they are written; and temporary files beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/base/file/large_memory.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/running_checksum.hpp"
#include "io/corpus/pool/write/file_staging.hpp"
#include "io/corpus/pool/write/pool_staging.hpp"

namespace inkling {

/// Bytes of one file, small pieces buffered, hashed by blocks as they pass; close() fsyncs and hands the record to the
/// staging. Failures throw SystemError with the final path of the file; a full disk says how many bytes were
/// wanted. Thread safety: one thread at a time. Lifetime: the staging outlives it; destroyed without close(),
/// the file is not part of the pool, which then must not be published.
class StagedFile {
 public:
  StagedFile(FileStaging& staging, std::string name);

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }

  /// Overwrites bytes that were appended, for headers that are known last. Requires: within the first 4096 bytes, and
  /// within what was appended.
  void overwrite(std::uint64_t position, std::string_view text);

  void close();

  /// How many bytes were appended.
  [[nodiscard]] std::uint64_t size() const { return written_.bytes() + buffer_.size(); }
  /// The path that messages show.
  [[nodiscard]] std::string path() const { return staging_.path_of(written_.name()); }

 private:
  void write(std::span<const std::byte> bytes);
  void write_buffer();
  void start_writeback();
  [[noreturn]] void fail_to_write(int error, std::uint64_t bytes, std::uint64_t position) const;

  FileStaging& staging_;
  RunningRecord written_;
  std::vector<std::byte> buffer_;     // bytes that are not written yet
  std::uint64_t writeback_from_ = 0;  // all bytes before it were handed to the disk
  File file_;
};

/// A one-dimensional .npy array whose length is known only at the end.
template <typename Number>
class StagedArray {
 public:
  StagedArray(FileStaging& staging, std::string name) : file_(staging, std::move(name)) {
    file_.append(pool_npy_header(npy_descr<Number>, 0));
  }

  void append(std::span<const Number> numbers) { file_.append(std::as_bytes(numbers)); }
  void append(Number number) { append(std::span<const Number>(&number, 1)); }

  [[nodiscard]] std::int64_t size() const {
    return static_cast<std::int64_t>((file_.size() - kPoolNpyHeaderBytes) / sizeof(Number));
  }
  void close() {
    file_.overwrite(0, pool_npy_header(npy_descr<Number>, size()));
    file_.close();
  }

 private:
  StagedFile file_;
};

/// Strings by row: NAME.npy holds their bytes one after the other (uint8), NAME_indptr.npy the position of each (int64,
/// one more than rows).
class StagedStrings {
 public:
  StagedStrings(FileStaging& staging, std::string_view name);

  /// Throws FormatError where the text is not UTF-8.
  void append(std::string_view text);
  void close();

 private:
  StagedArray<std::uint8_t> bytes_;
  StagedArray<std::int64_t> offsets_;
  std::string path_;
};

/// Terms or names, one a line, ascending by their bytes, each once.
class StagedLines {
 public:
  StagedLines(FileStaging& staging, std::string name) : file_(staging, std::move(name)) {}

  /// Throws FormatError where the line is not UTF-8, holds a line end, or does not
  /// come after the one before it.
  void append(std::string_view line);
  void close() { file_.close(); }

 private:
  StagedFile file_;
  std::string last_;
  std::int64_t lines_ = 0;
};

/// A temporary file without a name, so that it ends with the process. It has no buffer: append large pieces. Its first
/// bytes may stay in memory. Failures throw SystemError with the staging's target. Thread safety: one thread appends at a
/// time; any thread reads what was appended before. Lifetime: the staging outlives it.
class ScratchFile {
 public:
  /// `kept`: how many of the first bytes may stay in memory.
  explicit ScratchFile(const PoolStaging& staging, std::uint64_t kept = 0);

  /// Appends the bytes and returns their position.
  std::uint64_t append(std::span<const std::byte> bytes);

  /// Fills `bytes` from `position` on. Requires: all of them were appended.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

  /// Tells the system that these bytes will be read soon.
  void prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept;

  /// Releases the memory of bytes that will not be read again, and their disk space if the file system can.
  void release(std::uint64_t position, std::uint64_t bytes) const noexcept;

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// How many bytes are in memory.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  /// Writes all bytes in memory to the file; from now on none stay in memory.
  void write_kept();

 private:
  [[noreturn]] void fail_to_write(int error, std::uint64_t bytes) const;
  void keep(std::span<const std::byte> bytes);

  const PoolStaging& staging_;
  std::uint64_t most_kept_;
  std::uint64_t kept_ = 0;                                 // the file has a hole in their place
  mutable std::vector<LargeArray<std::byte>> kept_pages_;  // empty for pages that were released
  std::uint64_t size_ = 0;
  File file_;
};

}  // namespace inkling
