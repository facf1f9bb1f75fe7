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
#include "engine/scoring/survey/pool_survey.hpp"
#include "engine/sparse/csr_matrix.hpp"
#include "engine/sparse/csr_view.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "io/corpus/pool/open/contents_check.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling {

/// The bytes of each file of a pool by its name, the manifest among them. Each begins at a multiple of 8, as
/// mapped and allocated memory does.
using PoolFiles = std::map<std::string, std::span<const std::byte>, std::less<>>;

/// Lifetime: lends the bytes of the files. May be moved: views of its own vectors stay valid.
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
  std::span<const float> vector_centre;

  CheckedTexts texts_of_lines;  ///< owns what vocabulary and copies are views of
};

/// Checks a pool in memory as check_contents does. Thread safety: pure.
[[nodiscard]] PoolContents checked_contents(const std::string& path, const PoolFiles& files, CheckExtent extent);

struct JoinedArrays;

/// What sets of pools need of one pool, whether its files are mapped or read. Thread safety: const after opening.
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
  [[nodiscard]] bool has_ids() const { return manifest().file(PoolFile::offsets_of(PoolFile::ids)) != nullptr; }

  /// Terms by feature, ascending; nothing if the matrix was imported without terms. Lifetime: lends the pool.
  [[nodiscard]] virtual const std::optional<StringTable>& vocabulary() const& = 0;
  [[nodiscard]] std::optional<FeatureId> feature_of(std::string_view term) const {
    return vocabulary() ? vocabulary()->find(term) : std::nullopt;
  }
  /// Frees the memory of the vocabulary, if it takes any.
  virtual void drop_vocabulary() {}

  /// Requires: the row, or the feature, is in the pool (here and below).
  [[nodiscard]] virtual CsrMatrix row(DocumentId row) const = 0;
  /// Where the feature's postings begin and end in the arrays by feature.
  [[nodiscard]] virtual std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const = 0;
  /// Nothing if the pool has no ids.
  [[nodiscard]] virtual std::optional<std::string> id(DocumentId row) const = 0;
  /// Documents that are one with another. Lifetime: lends the pool.
  [[nodiscard]] virtual RowCopies copies() const& noexcept = 0;

  /// To be called after the work and before its results are used. Throws CorruptFileError if a file became shorter, or
  /// was written to, since it was opened; throws SystemError. A pool that was replaced or removed meanwhile is no error:
  /// the open files stay as they were.
  virtual void check_unchanged() const = 0;

 protected:
  PoolMember(PoolMember&&) = default;
  PoolMember& operator=(PoolMember&&) = default;
};

/// A mapped pool, without copies. Move-only. Lifetime: all views are valid as long as the pool, or the one that it was
/// moved to; so they cannot be taken from a temporary. The files may be renamed or deleted while they are mapped. If one
/// is cut short meanwhile, the missing bytes read as zeros or raise SIGBUS (see `mapped_path_at`). The offsets of the
/// matrix, by which all entries are found, are copied to memory when the pool is opened: so nothing outside the arrays is
/// read, and `check_unchanged` reports the change. Thread safety: const after opening.
class Pool final : public PoolMember {
 public:
  /// Every failure is a CorruptFileError naming the file, or a SystemError.
  [[nodiscard]] static Pool open(const std::string& path, PoolTrust trust = PoolTrust::checksums);

  /// Joins pools to one, named by `path`, whose manifest names no files (joined_pool.hpp). Throws and requires the same
  /// as joined_contents. Lifetime: lends the pools.
  [[nodiscard]] static Pool join(const std::string& path, std::span<const Pool* const> pools, SetCopies copies);

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] const Manifest& manifest() const override { return contents_.manifest; }
  [[nodiscard]] std::uint64_t manifest_checksum() const override { return files_.manifest_checksum; }
  /// The bytes of all its files on disk, the manifest included.
  [[nodiscard]] std::uint64_t bytes() const { return files_.bytes; }

  [[nodiscard]] PoolView view() const& { return contents_.matrix; }
  PoolView view() const&& = delete;

  [[nodiscard]] CsrMatrix row(DocumentId row) const override;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> postings_of(FeatureId feature) const override;
  [[nodiscard]] std::optional<std::string> id(DocumentId row) const override;
  void check_unchanged() const override;

  [[nodiscard]] const std::optional<StringTable>& vocabulary() const& override { return contents_.vocabulary; }
  const std::optional<StringTable>& vocabulary() const&& = delete;

  [[nodiscard]] std::span<const std::int32_t> document_frequency() const& { return contents_.document_frequency; }
  std::span<const std::int32_t> document_frequency() const&& = delete;

  /// The idf of each feature; empty if the pool has none.
  [[nodiscard]] std::span<const double> idf() const& { return contents_.idf; }
  std::span<const double> idf() const&& = delete;

  [[nodiscard]] const std::optional<StringTable>& ids() const& { return contents_.ids; }
  const std::optional<StringTable>& ids() const&& = delete;
  [[nodiscard]] const std::optional<StringTable>& texts() const& { return contents_.texts; }
  const std::optional<StringTable>& texts() const&& = delete;
  /// What else the record of a document held, as one JSON object; empty if it held nothing else.
  [[nodiscard]] const std::optional<StringTable>& fields() const& { return contents_.fields; }
  const std::optional<StringTable>& fields() const&& = delete;

  /// Names ascending; a row's label is an index of them, or -1 if it has none. Both are empty if no document has a label.
  [[nodiscard]] const std::vector<std::string>& label_names() const& { return contents_.label_names; }
  const std::vector<std::string>& label_names() const&& = delete;
  [[nodiscard]] std::span<const std::int32_t> labels() const& { return contents_.labels; }
  std::span<const std::int32_t> labels() const&& = delete;
  /// The index of the row's label in `label_names`, or nothing. Never out of range, even if the file has changed.
  [[nodiscard]] std::optional<std::size_t> label(DocumentId row) const noexcept {
    if (contents_.labels.empty()) return std::nullopt;
    const auto label = static_cast<std::size_t>(contents_.labels[static_cast<std::size_t>(row)]);
    return label < contents_.label_names.size() ? std::optional(label) : std::nullopt;
  }

  /// What was subtracted from the vectors of its documents (`PoolView::by_document`); empty if they have none.
  [[nodiscard]] std::span<const float> vector_centre() const& { return contents_.vector_centre; }
  std::span<const float> vector_centre() const&& = delete;

  [[nodiscard]] RowCopies copies() const& noexcept override { return contents_.copies; }
  RowCopies copies() const&& = delete;

  /// Shared by all searches in the pool. It is kept beside the record that the pool was checked, if there may be one.
  /// Lifetime: lends the pool.
  [[nodiscard]] const std::shared_ptr<const PoolSurvey>& survey() const& { return survey_; }
  const std::shared_ptr<const PoolSurvey>& survey() const&& = delete;

 private:
  /// The files as they lie in memory, and how they were on disk.
  struct Files {
    std::vector<MappedFile> mapped;
    std::vector<Room> read;
    std::vector<std::pair<std::string, FileStamp>> stamps;  // by path
    std::uint64_t bytes = 0;
    std::uint64_t manifest_checksum = 0;
    PoolFiles by_name;  // views of the members above
  };

  explicit Pool(std::string path) : path_(std::move(path)) {}
  [[nodiscard]] static Files map_files(const OpenPool& pool);

  std::string path_;
  Files files_;
  std::shared_ptr<const JoinedArrays> joined_;  // of a joined pool
  PoolContents contents_;
  std::shared_ptr<const PoolSurvey> survey_;
};

/// Bytes of all files in the folder. Throws SystemError.
[[nodiscard]] std::uint64_t pool_bytes(const std::string& path);

struct VerifyReport {
  std::int64_t files = 0;
  std::uint64_t bytes = 0;
  Manifest manifest;
};

/// Checks all that Pool::open checks, checksums included, in parallel and through buffers, so that little of the pool is
/// in memory at any time. Calls `advance(done, total)` with bytes, from any thread; each byte counts twice, for its
/// checksum and for its content. Throws as Pool::open does. Writes the record as PoolTrust::renewed does.
[[nodiscard]] VerifyReport verify_pool(
    const std::string& path,
    const std::function<void(std::uint64_t done, std::uint64_t total)>& advance = [](std::uint64_t, std::uint64_t) {});

}  // namespace inkling
