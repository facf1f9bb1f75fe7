// A pool of which nothing is mapped: what is asked for is read, and checked as it passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ids.hpp"
#include "io/pool/format/manifest.hpp"
#include "io/pool/format/npy_header.hpp"
#include "io/pool/format/pool_layout.hpp"
#include "io/pool/open/pool_contents.hpp"
#include "io/pool/open/pool_folder.hpp"
#include "io/pool/set/pool_member.hpp"

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
    read(kPoolNpyHeaderBytes + static_cast<std::uint64_t>(first) * sizeof(Number),
         std::as_writable_bytes(numbers));
  }

  /// Requires: the file has that many bytes.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

 private:
  void check_is_array(std::string_view descr, std::size_t number_bytes, std::int64_t count) const;
  [[nodiscard]] bool is_known_good(std::size_t block) const;

  const PoolFolder& folder_;
  const FileRecord& record_;
  mutable std::mutex known_;
  mutable std::vector<bool> is_good_;  // by block; empty where checksums are not looked at
};

/// Holds the manifest and the vocabulary, and nothing that grows with the number of documents.
class ReadPool final : public PoolMember {
 public:
  /// Every failure, here and later, is a CorruptFileError naming the file, or a SystemError.
  ReadPool(const std::string& path, PoolTrust trust);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] const Manifest& manifest() const override { return manifest_; }
  [[nodiscard]] PoolTrust trust() const noexcept { return trust_; }
  [[nodiscard]] const PoolFolder& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::optional<StringTable>& vocabulary() const override { return vocabulary_; }
  void drop_vocabulary() override;

  [[nodiscard]] CsrMatrix row(DocumentId row) const override;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override;
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override;
  [[nodiscard]] const Pool* mapped() const override { return nullptr; }
  [[nodiscard]] const ReadPool* read() const override { return this; }

  /// Entries [first, first + documents.size()) of the postings: documents and values, not looked at yet.
  void read_postings(std::int64_t first, std::span<DocumentId> documents, std::span<float> values) const;

  /// How messages name the files of the postings.
  [[nodiscard]] std::string postings_path() const { return column_rows_.path(); }
  [[nodiscard]] std::string posting_values_path() const { return column_values_.path(); }

 private:
  [[nodiscard]] const FileRecord& record(std::string_view name) const;
  /// Two neighbouring offsets. Throws CorruptFileError unless they ascend and lie within `end`.
  [[nodiscard]] static std::pair<std::int64_t, std::int64_t> offsets_at(const CheckedFile& offsets,
                                                                        std::int64_t at, std::int64_t end);
  void read_vocabulary();

  std::string path_;
  PoolTrust trust_;
  PoolFolder folder_;
  Manifest manifest_;
  CheckedFile row_offsets_, row_features_, row_values_;
  CheckedFile column_offsets_, column_rows_, column_values_;
  std::optional<CheckedFile> id_offsets_;
  std::optional<CheckedFile> id_bytes_;
  std::string terms_;
  std::vector<std::int64_t> term_offsets_;
  std::optional<StringTable> vocabulary_;
};

}  // namespace inkling
