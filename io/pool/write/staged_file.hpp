// Writers of the files of a pool in staging: plain bytes, NumPy arrays, lines and tables of strings; all
// checksummed as they are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/pool/format/npy_header.hpp"
#include "io/pool/write/pool_staging.hpp"

namespace inkling {

/// Bytes of one file, buffered, hashed by blocks as they pass; close() fsyncs and hands the record to the
/// staging. Failures throw SystemError with the final path of the file; a full disk says how many bytes were
/// wanted. Thread safety: one thread at a time. Lifetime: the staging outlives it; destroyed without close(),
/// the file is not part of the pool, which then must not be published.
class StagedFile {
 public:
  StagedFile(PoolStaging& staging, std::string name);
  ~StagedFile();
  StagedFile(const StagedFile&) = delete;
  StagedFile& operator=(const StagedFile&) = delete;

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }

  /// For headers that come last. Requires: within the first 4096 bytes, and within what was appended.
  void overwrite(std::uint64_t position, std::string_view text);

  void close();

  /// How many bytes were appended.
  [[nodiscard]] std::uint64_t size() const { return written_ + buffer_.size(); }
  /// As messages name it.
  [[nodiscard]] std::string path() const { return staging_.path_of(record_.name); }

 private:
  void write_block(std::span<const std::byte> block);
  void write_through(std::span<const std::byte> bytes, std::uint64_t position);
  void start_writeback();
  void hash_first_block_again();
  [[noreturn]] void fail_to_write(int error, std::uint64_t bytes, std::uint64_t position) const;

  PoolStaging& staging_;
  FileRecord record_;
  std::vector<std::byte> buffer_;     // what follows the whole blocks already written
  std::uint64_t written_ = 0;         // whole blocks, until close() writes the rest
  std::uint64_t writeback_from_ = 0;  // what lies before has been handed to the disk
  int descriptor_ = -1;
};

/// A one-dimensional .npy array whose length is known only at the end.
template <typename Number>
class StagedArray {
 public:
  StagedArray(PoolStaging& staging, std::string name) : file_(staging, std::move(name)) {
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

/// Strings addressable by row: NAME.npy holds their bytes one after the other (uint8), NAME_indptr.npy where
/// each begins (int64, one more than rows).
class StagedStrings {
 public:
  StagedStrings(PoolStaging& staging, std::string_view name);

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
  StagedLines(PoolStaging& staging, std::string name) : file_(staging, std::move(name)) {}

  /// Throws FormatError where the line is not UTF-8, holds a line end, or does not
  /// come after the one before it.
  void append(std::string_view line);
  void close() { file_.close(); }

 private:
  StagedFile file_;
  std::string last_;
  std::int64_t lines_ = 0;
};

}  // namespace inkling
