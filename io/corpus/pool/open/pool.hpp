// A pool on disk, opened: its matrix by document and by feature, its words,
// its documents' ids, labels, texts and fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/ids.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/checked_record.hpp"
#include "io/corpus/pool/open/contents_check.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling {

/// The bytes of each file of a pool by its name, the manifest among them. Each begins at a multiple of 8, as
/// mapped and allocated memory does.
using PoolFiles = std::map<std::string, std::span<const std::byte>, std::less<>>;

/// Lifetime: lends the bytes of the files. May move: what lends from its own vectors stays where it is.
struct PoolContents {
  Manifest manifest;
  PoolView matrix;
  std::optional<StringTable> vocabulary;
  std::span<const std::int32_t> document_frequency;
  std::span<const double> idf;
  std::optional<StringTable> ids;
  std::optional<StringTable> texts;
  std::optional<StringTable> fields;
  std::vector<std::string> label_names;
  std::span<const std::int32_t> labels;
  RowCopies copies;

  CheckedTexts texts_of_lines;  ///< what the vocabulary and the copies lend from
};

/// Checks a pool in memory as check_contents does. Thread safety: pure.
[[nodiscard]] PoolContents checked_contents(const std::string& path, const PoolFiles& files,
                                            CheckExtent extent);

struct JoinedArrays;

/// What sets of pools ask of one pool, however its files are looked at. Thread safety: const after opening.
class PoolMember {
 public:
  PoolMember() = default;
  PoolMember(const PoolMember&) = delete;
  PoolMember& operator=(const PoolMember&) = delete;
  virtual ~PoolMember() = default;

  [[nodiscard]] virtual const std::string& path() const = 0;
  [[nodiscard]] virtual const Manifest& manifest() const = 0;
  /// The checksum that the manifest ends in: two pools of one checksum are the same to the last bit.
  [[nodiscard]] virtual std::uint64_t manifest_checksum() const = 0;
  [[nodiscard]] bool has_ids() const {
    return manifest().file(PoolFile::offsets_of(PoolFile::ids)) != nullptr;
  }

  /// Terms by feature, ascending; nothing where the matrix was imported without them. Lifetime: lends the pool.
  [[nodiscard]] virtual const std::optional<StringTable>& vocabulary() const& = 0;
  [[nodiscard]] std::optional<FeatureId> feature_of(std::string_view term) const {
    return vocabulary() ? vocabulary()->find(term) : std::nullopt;
  }
  /// Frees the memory of the vocabulary, where it takes any.
  virtual void drop_vocabulary() {}

  /// Requires: the row, or the feature, is in the pool (here and below).
  [[nodiscard]] virtual CsrMatrix row(DocumentId row) const = 0;
  /// Where the feature's postings begin and end in the arrays by feature.
  [[nodiscard]] virtual std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const = 0;
  /// Nothing where the pool has no ids.
  [[nodiscard]] virtual std::optional<std::string> id(DocumentId row) const = 0;
  /// Documents that have the text of an earlier one. Lifetime: lends the pool.
  [[nodiscard]] virtual RowCopies copies() const& noexcept = 0;

  /// To be called after the work and before its results are used: throws CorruptFileError where a file has become
  /// shorter, or was written to, since it was opened, and SystemError. A pool that was replaced or removed meanwhile is
  /// no error: what was opened stays what it was.
  virtual void check_unchanged() const = 0;

 protected:
  PoolMember(PoolMember&&) = default;
  PoolMember& operator=(PoolMember&&) = default;
};

/// Mapped, zero copies. Move-only.
/// Lifetime: all views are valid while the pool, or what it was moved to, lives; so it cannot be called on a temporary.
/// The files may be renamed or deleted while they are mapped. Where one is cut short meanwhile, what is gone reads as
/// zeros or raises SIGBUS (see `mapped_path_at`). The offsets of the matrix, through which all else is found, are held in
/// memory of their own: so nothing outside the arrays is read, and `check_unchanged` tells. Thread safety: const after
/// opening.
class Pool final : public PoolMember {
 public:
  /// Every failure is a CorruptFileError naming the file, or a SystemError.
  [[nodiscard]] static Pool open(const std::string& path, PoolTrust trust = PoolTrust::checksums);

  /// Pools put together as one, named by `path`, whose manifest names no files (joined_pool.hpp). Throws as
  /// joined_contents does, and requires what it does. Lifetime: lends the pools.
  [[nodiscard]] static Pool join(const std::string& path, std::span<const Pool* const> pools);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] const Manifest& manifest() const override { return contents_.manifest; }
  [[nodiscard]] std::uint64_t manifest_checksum() const override { return files_.manifest_checksum; }
  /// Of all its files on disk, the manifest among them.
  [[nodiscard]] std::uint64_t bytes() const { return files_.bytes; }

  [[nodiscard]] PoolView view() const& { return contents_.matrix; }
  PoolView view() const&& = delete;

  [[nodiscard]] CsrMatrix row(DocumentId row) const override;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override;
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override;
  void check_unchanged() const override;

  [[nodiscard]] const std::optional<StringTable>& vocabulary() const& override {
    return contents_.vocabulary;
  }
  const std::optional<StringTable>& vocabulary() const&& = delete;

  [[nodiscard]] std::span<const std::int32_t> document_frequency() const& {
    return contents_.document_frequency;
  }
  std::span<const std::int32_t> document_frequency() const&& = delete;

  /// Empty where there is none.
  [[nodiscard]] std::span<const double> idf() const& { return contents_.idf; }
  std::span<const double> idf() const&& = delete;

  [[nodiscard]] const std::optional<StringTable>& ids() const& { return contents_.ids; }
  const std::optional<StringTable>& ids() const&& = delete;
  [[nodiscard]] const std::optional<StringTable>& texts() const& { return contents_.texts; }
  const std::optional<StringTable>& texts() const&& = delete;
  /// What else the record of a document held, as one JSON object; empty where it held nothing else.
  [[nodiscard]] const std::optional<StringTable>& fields() const& { return contents_.fields; }
  const std::optional<StringTable>& fields() const&& = delete;

  /// Names ascending; a row's label is an index of them, or -1 where it has none. Both empty where no
  /// document has one.
  [[nodiscard]] const std::vector<std::string>& label_names() const& { return contents_.label_names; }
  const std::vector<std::string>& label_names() const&& = delete;
  [[nodiscard]] std::span<const std::int32_t> labels() const& { return contents_.labels; }
  std::span<const std::int32_t> labels() const&& = delete;
  /// The index of the row's label in `label_names`, or nothing: always one of these, whatever the file holds by now.
  [[nodiscard]] std::optional<std::size_t> label(DocumentId row) const noexcept {
    if (contents_.labels.empty()) return std::nullopt;
    const auto label = static_cast<std::size_t>(contents_.labels[static_cast<std::size_t>(row)]);
    return label < contents_.label_names.size() ? std::optional(label) : std::nullopt;
  }

  [[nodiscard]] RowCopies copies() const& noexcept override { return contents_.copies; }
  RowCopies copies() const&& = delete;

  /// Where what is computed of its files may be kept; nothing where records are not asked for, or it was put together.
  [[nodiscard]] const std::optional<CheckedRecord>& record() const& { return record_; }
  const std::optional<CheckedRecord>& record() const&& = delete;

 private:
  /// The files as they lie in memory, and how they were on disk.
  struct Files {
    std::vector<MappedFile> mapped;
    std::vector<Room> read;
    std::vector<std::pair<std::string, FileStamp>> stamps;  // by path
    std::uint64_t bytes = 0;
    std::uint64_t manifest_checksum = 0;
    PoolFiles by_name;  // lends the above
  };

  explicit Pool(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] static Files map_files(const OpenPool& pool);

  std::string path_;
  Files files_;
  std::shared_ptr<const JoinedArrays> joined_;  // of a pool that was put together
  std::optional<CheckedRecord> record_;
  PoolContents contents_;
};

/// Bytes of all files in the folder. Throws SystemError.
[[nodiscard]] std::uint64_t pool_bytes(const std::string& path);

struct VerifyReport {
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  Manifest manifest;
};

/// Checks all that Pool::open checks, checksums included, in parallel and through buffers, so that little of the pool is
/// resident at any time. `advance(done, total)` tells bytes, from any thread; each byte counts twice, for its checksum
/// and for its meaning. Throws as Pool::open does. What passes is recorded, as by PoolTrust::renewed.
[[nodiscard]] VerifyReport verify_pool(
    const std::string& path, const std::function<void(std::uint64_t done, std::uint64_t total)>& advance =
                                 [](std::uint64_t, std::uint64_t) {});

}  // namespace inkling
