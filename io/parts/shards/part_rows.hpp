// The rows of one part: the counted terms of each of its documents and what else a pool has of them. The first pass keeps them
// beside the counts of the part, so that the second need not parse the text and cut it into terms again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/from_text/counting_pass.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/corpus/terms/term_counts.hpp"
#include "io/parts/shards/counts_folder.hpp"

namespace inkling {

/// Which part the rows belong to, and the sizes of the arrays.
struct RowsManifest {
  static constexpr std::int64_t current_version = 2;

  std::string program_version;
  std::uint64_t plan = 0;  ///< the checksum at the end of the plan
  CountedPart part;
  std::int64_t entries = 0;   ///< (document, term) pairs
  std::int64_t strings = 0;   ///< bytes of ids, labels, fields and marks; 0 if they are not kept
  std::int64_t segments = 0;  ///< pieces in which documents lie together
  std::int64_t terms = 0;
  std::vector<FileRecord> files = {};
};

[[nodiscard]] std::string rows_manifest_text(const RowsManifest& rows);
/// Throws CorruptFileError naming `path`.
[[nodiscard]] RowsManifest parse_rows_manifest(const std::string& path, std::string_view text);

/// Writes both files into the folder in which the counts of the part are written. The manifest of the counts does not list them,
/// because their bytes, unlike those of counts, depend on which thread met a term first, and because they may be removed after
/// use. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class RowsWriter {
 public:
  /// `texts`: whether the pool will keep texts. If so, pass 2 must parse them, and nothing but terms is kept.
  RowsWriter(PoolStaging& staging, TextKeeping texts);

  /// Call it for all chunks, in order.
  void append(const CountedChunk& chunk);
  /// Call it after the last chunk. `sorted`: all terms, in the order of the counts.
  void close(std::span<const TermTable::Term> sorted, RowsManifest manifest);

 private:
  // Writes files into the folder, but keeps their records out of its manifest.
  class Beside final : public FileStaging {
   public:
    explicit Beside(PoolStaging& staging) : staging_(staging) {}

    [[nodiscard]] std::string path_of(std::string_view name) const override { return staging_.path_of(name); }
    [[nodiscard]] File create_file(std::string_view name) override { return staging_.create_file(name); }
    void add_file(FileRecord record) override { records_.push_back(std::move(record)); }
    [[nodiscard]] const std::vector<FileRecord>& records() const { return records_; }

   private:
    PoolStaging& staging_;
    std::vector<FileRecord> records_;
  };

  Beside beside_;
  StagedFile rows_;
  TextKeeping texts_;
  ScratchFile strings_;  // for each chunk its size and its bytes
  std::vector<std::byte> bytes_;
  std::vector<CountedSegment> segments_;
};

/// Kept rows, ready to be weighted. Every block of bytes is compared with its checksum before it is used, and no bytes can cause
/// a read out of bounds. Thread safety: one thread at a time; const and refuse() from several threads.
class PartRows final : public CountedBytes {
 public:
  /// The rows beside the counts of one part; nothing if they were not kept or are removed already. Throws SystemError;
  /// CorruptFileError if the files are damaged or do not belong to these counts. Requires: counts of one part.
  [[nodiscard]] static std::unique_ptr<PartRows> beside(CountsFolder counts);

  /// The counts that the rows belong to.
  [[nodiscard]] const CountsFolder& counts() const { return counts_; }
  [[nodiscard]] std::span<const CountedSegment> segments() const { return segments_; }
  /// For each term, in the order of the counts, its number in the rows: a permutation of 0 to the number of terms less 1.
  [[nodiscard]] std::span<const TermId> numbers() const { return numbers_; }

  /// Whether the ids, labels, fields and marks of the documents are there, too.
  [[nodiscard]] bool keeps_strings() const { return strings_end_ > strings_begin_; }
  /// Those of the next documents; false after the last ones.
  [[nodiscard]] bool read_strings(DocumentStrings& strings);

  void read(std::span<std::byte> bytes) override;
  [[noreturn]] void refuse(const std::string& expectation) const override;

 private:
  PartRows(CountsFolder counts, const RowsManifest& manifest, PoolFileReader file);

  void read_at(std::uint64_t position, std::span<std::byte> bytes);
  void read_segments(const RowsManifest& manifest, std::uint64_t bytes, std::uint64_t position);
  void read_numbers(const RowsManifest& manifest, std::uint64_t position);

  CountsFolder counts_;
  PoolFileReader file_;
  FileRecord record_;
  std::vector<CountedSegment> segments_;
  std::vector<TermId> numbers_;
  std::uint64_t position_ = 0;
  std::uint64_t strings_begin_ = 0;  // of those that were not read yet
  std::uint64_t strings_end_ = 0;
  std::uint64_t unread_documents_ = 0;
  std::vector<std::byte> string_bytes_;
  std::vector<std::byte> block_;  // of the file, the one that was read last
  std::uint64_t block_begin_ = 0;
};

}  // namespace inkling
