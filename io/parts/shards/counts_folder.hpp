// Counts on disk: opened and read term by term in little memory, and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/corpus/pool/format/running_checksum.hpp"
#include "io/corpus/pool/open/open_pool.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "io/parts/shards/counts_manifest.hpp"

namespace inkling {

/// A folder of counts, all of its files open. Thread safety: const from several threads.
class CountsFolder {
 public:
  /// Throws SystemError, and CorruptFileError if this is no folder of counts, or if a file is missing or has not the length in
  /// the manifest.
  explicit CountsFolder(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const CountsManifest& manifest() const { return manifest_; }
  /// The checksum at the end of the manifest.
  [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
  [[nodiscard]] bool has(std::string_view name) const { return files_.contains(name); }
  /// Throws CorruptFileError where there is no such file.
  [[nodiscard]] const PoolFileReader& file(std::string_view name) const;

  /// Throws CorruptFileError where a file was written to since it was opened.
  void check_unchanged() const;

 private:
  std::string path_;
  CountsManifest manifest_;
  std::uint64_t checksum_ = 0;
  std::map<std::string, PoolFileReader, std::less<>> files_;
};

/// The manifest of the counts at a path, or nothing where there is none. Throws SystemError and
/// CorruptFileError.
[[nodiscard]] std::optional<CountsManifest> counts_at(const std::string& path);

/// The bytes of a file of counts from its beginning, in pieces; each block is compared with its checksum when its last
/// byte is read. Thread safety: one thread at a time. Lifetime: lends the folder.
class CountsBytes {
 public:
  /// `piece`: how many bytes are in memory at a time, a power of two from 4 KiB to a block.
  CountsBytes(const CountsFolder& counts, std::string_view name, std::size_t piece);

  /// The next bytes, valid until the next call; empty at the end. Throws CorruptFileError.
  [[nodiscard]] std::span<const std::byte> next();
  [[nodiscard]] const std::string& path() const { return file_->path(); }
  [[nodiscard]] std::uint64_t size() const { return file_->size(); }

 private:
  const PoolFileReader* file_;
  const FileRecord* record_;
  std::vector<std::byte> piece_;
  std::uint64_t position_ = 0;
  RunningChecksum checksum_;
};

/// All terms of counts in order. Thread safety: one thread at a time. Lifetime: lends the folder.
class CountsStream {
 public:
  CountsStream(const CountsFolder& counts, std::size_t piece);

  /// Moves to the next term (the first call, to the first term); false at the end. Throws CorruptFileError.
  [[nodiscard]] bool next();

  /// Valid until next() is called. Requires: next() returned true (here and below).
  [[nodiscard]] std::string_view term() const { return term_; }
  [[nodiscard]] std::int64_t documents() const { return documents_; }
  /// 0 where they were not counted.
  [[nodiscard]] std::int64_t occurrences() const { return occurrences_; }

 private:
  class Numbers {
   public:
    Numbers(CountsBytes bytes, std::int64_t count);
    [[nodiscard]] std::int64_t next();

   private:
    CountsBytes bytes_;
    std::span<const std::byte> left_;
  };

  void read_term();

  CountsBytes lines_;
  std::string_view left_;  // the unread rest of the piece
  std::string joined_;     // a term that lies in two pieces
  Numbers frequencies_;
  std::optional<Numbers> occurrence_counts_;
  std::int64_t terms_left_;
  std::string_view term_;
  std::int64_t documents_ = 0;
  std::int64_t occurrences_ = 0;
};

/// The labels that counts hold, ascending.
[[nodiscard]] std::vector<std::string> labels_of(const CountsFolder& counts);

/// Writes counts term by term. Thread safety: one thread at a time. Lifetime: the staging outlives it.
class CountsWriter {
 public:
  enum class Occurrences { are_counted, are_not };

  CountsWriter(PoolStaging& staging, Occurrences occurrences);

  /// Terms ascend, each once.
  void append(std::string_view term, std::int64_t documents, std::int64_t occurrences);

  /// Writes the labels, where there are any, and publishes; the manifest's terms and files are filled in.
  void publish(const std::vector<std::string>& labels, CountsManifest manifest);

 private:
  PoolStaging& staging_;
  StagedLines terms_;
  StagedArray<std::int64_t> frequencies_;
  std::optional<StagedArray<std::int64_t>> occurrences_;
};

}  // namespace inkling
