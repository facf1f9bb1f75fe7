// The open files of a pool, all from one folder, even if another process puts a new pool in its place meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/system/folder.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"

namespace inkling {

/// What is checked when a pool is opened. The structure means: sizes, offsets, ids in range and sorted, finite values,
/// and columns that are the transposed rows.
enum class PoolTrust {
  checksums,   ///< the structure and every block of every file
  remembered,  ///< the same, unless a record says that it passed and no file has changed since
               ///< (checked_record.hpp); what passes is recorded
  renewed,     ///< the same, whatever a record says; success is recorded, failure removes it (`--check`)
  structure,   ///< the structure only: neither checksums nor records (`--trust`)
};

/// Shows whether a file is still the one that was opened, and unchanged.
struct FileStamp {
  FileIdentity identity;
  std::uint64_t size = 0;
  FileTime modified;
  FileTime changed;

  FileStamp() = default;
  explicit FileStamp(const FileStatus& status);

  /// Throws CorruptFileError naming `path` if a later stamp of the same file differs.
  void check_unchanged(const std::string& path, const FileStamp& later) const;
};

/// An open file of a pool, which can be read at any position. Thread safety: const from several threads.
class PoolFileReader {
 public:
  /// Opens a file of an open folder; never waits for a pipe. `path` is for messages. Throws SystemError, and
  /// CorruptFileError if it is not a regular file.
  PoolFileReader(const File& folder, const std::string& name, std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const File& file() const { return file_; }
  /// The stamp of the file when it was opened.
  [[nodiscard]] const FileStamp& stamp() const { return stamp_; }
  [[nodiscard]] std::uint64_t size() const { return stamp_.size; }

  /// Fills `bytes` from `position` on. Throws SystemError, and CorruptFileError where the file has become shorter.
  void read(std::uint64_t position, std::span<std::byte> bytes) const;

  /// A block of `kChecksumBlockBytes`; the last one may be shorter. Throws also if its checksum is wrong, unless `trust`
  /// leaves checksums out. Requires: `record` is that of this file and has the same size.
  void read_block(const FileRecord& record, std::size_t index, PoolTrust trust, std::vector<std::byte>& block) const;

  /// Throws CorruptFileError if the length of the file changed or it was written to since it was opened.
  void check_unchanged() const;

 private:
  std::string path_;
  File file_;
  FileStamp stamp_;
};

/// Thread safety: const from several threads.
class OpenPool {
 public:
  /// Opens the manifest and every file that it names. Throws SystemError, and CorruptFileError where this is not a pool,
  /// or where a file is missing or not as long as the manifest says.
  explicit OpenPool(std::string path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  /// The checksum that the manifest ends in, by which sets know their pools.
  [[nodiscard]] std::uint64_t manifest_checksum() const { return manifest_checksum_; }
  /// The manifest itself, as it was when it was opened.
  [[nodiscard]] const FileStamp& manifest_stamp() const { return manifest_stamp_; }
  /// The time on the system's clock before anything was opened.
  [[nodiscard]] const FileTime& opened_at() const { return opened_at_; }
  /// The bytes of all files, the manifest included.
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] const std::map<std::string, PoolFileReader, std::less<>>& files() const { return files_; }

  /// Throws CorruptFileError if the manifest does not name the file. Requires: it was not closed.
  [[nodiscard]] const PoolFileReader& file(std::string_view name) const;
  [[nodiscard]] const FileRecord& record(std::string_view name) const;

  /// Closes all files but these.
  void keep_open(std::span<const std::string> names);

  /// Throws CorruptFileError if an open file has changed since it was opened. A pool that was replaced or removed has not
  /// changed: the open files stay as they were.
  void check_unchanged() const;

 private:
  /// Opens all files that are there. Returns false if the folder was replaced meanwhile, so that missing files may be in
  /// the new one.
  [[nodiscard]] bool open_files();

  std::string path_;
  Manifest manifest_;
  std::uint64_t manifest_checksum_ = 0;
  FileStamp manifest_stamp_;
  FileTime opened_at_;
  std::map<std::string, PoolFileReader, std::less<>> files_;
};

}  // namespace inkling
