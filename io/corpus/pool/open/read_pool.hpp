// A pool that is read without mapping it (`--io read`): all its rows in order, or any of them; checked as it is read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/corpus/pool/format/npy_header.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/contents_check.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/corpus/pool/open/pool.hpp"

namespace inkling {

/// Reads a file from its beginning. Throws SystemError, and CorruptFileError if the file becomes shorter or a checksum is
/// wrong. Thread safety: one thread at a time. Lifetime: the pool outlives it.
class CheckedReader {
 public:
  CheckedReader(const OpenPool& pool, std::string_view name, PoolTrust trust)
      : record_(pool.record(name)), file_(pool.file(name)), trust_(trust) {}

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
  const FileRecord& record_;
  const PoolFileReader& file_;
  PoolTrust trust_;
  std::vector<std::byte> block_;
  std::size_t used_ = 0;  // bytes of the block that were handed over
  std::size_t blocks_read_ = 0;
};

/// Consecutive rows of a pool, in its own memory.
struct CsrBlock {
  std::int64_t first_row = 0;
  std::int32_t columns = 0;
  std::vector<std::int64_t> offsets = {0};  ///< from 0, one more than rows
  std::vector<FeatureId> features;
  std::vector<float> values;

  /// Lifetime: valid until the block changes or dies; so it cannot be called on a temporary.
  [[nodiscard]] CsrView view() const& { return {columns, offsets, features, values}; }
  CsrView view() const&& = delete;
};

/// Reads the rows of a pool through bounded buffers and checks what it reads: checksums, offsets, features, values. Does
/// not read columns and documents. Every failure is a CorruptFileError naming the file, or a SystemError. Thread safety:
/// one thread at a time; each thread may work on its own block. Lifetime: the pool outlives it.
class RowStream {
 public:
  /// A block holds at most `block_entries` non-zeros, or one row that alone has more.
  explicit RowStream(const OpenPool& pool, PoolTrust trust = PoolTrust::checksums,
                     std::int64_t block_entries = std::int64_t{1} << 18U);

  [[nodiscard]] const Manifest& manifest() const { return manifest_; }

  /// The next rows into `block`, whose memory is used again, or false at the end.
  [[nodiscard]] bool next(CsrBlock& block);

 private:
  /// Where the next row ends.
  [[nodiscard]] std::int64_t next_end();
  /// Takes the offsets of the next block. Returns how many entries it has.
  [[nodiscard]] std::size_t take_rows(CsrBlock& block);

  const std::string& path_;
  const Manifest& manifest_;
  CheckedReader offsets_, features_, values_;
  std::int64_t block_entries_;
  std::int64_t row_ = 0;      // the next one
  std::int64_t row_end_ = 0;  // the end of the row before it
  std::optional<std::int64_t> next_row_end_;
};

/// A file that is read at any position. Each block is compared with its checksum when something in it is first read.
///
/// Throws SystemError, and CorruptFileError if the file becomes shorter or a checksum is wrong. Lifetime: the pool
/// outlives it. Thread safety: const from several threads.
class CheckedFile {
 public:
  CheckedFile(const OpenPool& pool, std::string_view name, PoolTrust trust);

  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return record_.bytes; }

  /// The numbers of an array from `first` on. Requires: an array of such numbers, and as many.
  template <typename Number>
  void read_numbers(std::int64_t first, std::span<Number> numbers) const {
    read(kPoolNpyHeaderBytes + static_cast<std::uint64_t>(first) * sizeof(Number), std::as_writable_bytes(numbers));
  }

  /// Requires: the file has that many bytes.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

 private:
  [[nodiscard]] bool is_known_good(std::size_t block) const;

  const FileRecord& record_;
  const PoolFileReader& file_;
  mutable std::mutex known_;
  mutable std::vector<bool> is_good_;  // by block; empty if checksums are not compared
};

/// Keeps in memory the manifest, the vocabulary and the list of copies, but nothing else that grows with the number of
/// documents. The pool may be replaced or removed meanwhile.
class ReadPool final : public PoolMember {
 public:
  /// Checks all that Pool::open checks, in pieces. Whatever is read later is compared with its checksum again. Every
  /// failure, here and later, is a CorruptFileError naming the file, or a SystemError.
  ReadPool(const std::string& path, PoolTrust trust);

  [[nodiscard]] const std::string& path() const override { return files_.path(); }
  [[nodiscard]] const Manifest& manifest() const override { return files_.manifest(); }
  [[nodiscard]] std::uint64_t manifest_checksum() const override { return files_.manifest_checksum(); }
  [[nodiscard]] PoolTrust trust() const noexcept { return trust_; }
  /// The files of rows, columns and ids, which stay open.
  [[nodiscard]] const OpenPool& files() const noexcept { return files_; }
  [[nodiscard]] const std::optional<StringTable>& vocabulary() const& override { return vocabulary_; }
  void drop_vocabulary() override;

  [[nodiscard]] CsrMatrix row(DocumentId row) const override;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override;
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override;
  [[nodiscard]] RowCopies copies() const& noexcept override { return texts_.copies.view(); }
  void check_unchanged() const override { files_.check_unchanged(); }

  /// Entries [first, first + documents.size()) of the postings: documents and values, whose numbers are not checked yet.
  void read_postings(std::int64_t first, std::span<DocumentId> documents, std::span<float> values) const;

  /// How messages name the files of the postings.
  [[nodiscard]] std::string postings_path() const { return column_rows_.path(); }
  [[nodiscard]] std::string posting_values_path() const { return column_values_.path(); }

 private:
  PoolTrust trust_;
  OpenPool files_;
  CheckedTexts texts_;
  std::optional<StringTable> vocabulary_;
  CheckedFile row_offsets_, row_features_, row_values_;
  CheckedFile column_offsets_, column_rows_, column_values_;
  std::optional<CheckedFile> id_offsets_;
  std::optional<CheckedFile> id_bytes_;
};

/// The fields of the first documents, at most `count`, as JSON objects; none if no document has fields. Nothing else is read or
/// checked.
[[nodiscard]] std::vector<std::string> first_fields(const OpenPool& pool, DocumentId count);

}  // namespace inkling
