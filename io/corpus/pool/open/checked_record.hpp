// Notes which pools passed the check, so that they are not checked again while their files stay as they are: a small file
// for each pool in the user's cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/base/file/mapped_file.hpp"
#include "io/corpus/pool/open/contents_check.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling {

/// A record that the files of a pool, as they are now, passed the whole check by this version of the program.
///
/// A record is one file in `folder_of_user_cache()`/inkling. It holds the checksum of the manifest, and device,
/// inode, length, time of the last write and time of the last change of each file. It is valid if it equals, byte for
/// byte, the record that would be written now, and if file and folder belong to this user and nobody else may write to
/// them. So a record is only compared, never parsed; one that is cut, forged or of another version is invalid. Results
/// that take long to compute from these files may lie beside it, in a file that begins as the record does and is valid
/// only if the record is.
///
/// No record is written for files that changed less than two seconds before they were opened, because a later change
/// could have the same time; nor for files on a file system that is not known to keep inodes and times (networks, FAT).
/// If the cache cannot be read or written, there is no record, and no error is reported.
///
/// A record relies on the system to note the time whenever bytes of a file change. The system does not in case of silent
/// corruption of the disk, when a disk is written to past its file system or loses power during a write, when the clock
/// is set back, and while a program has a file of the pool mapped for writing.
///
/// Thread safety: const from several threads and processes.
class CheckedRecord {
 public:
  /// The record of the files as they were when they were opened; does not look for it yet. Requires: none of them was
  /// closed.
  explicit CheckedRecord(const OpenPool& pool);

  [[nodiscard]] bool is_there() const;
  /// Requires: the files passed the check after they were opened. Removes the oldest records if there are too many.
  void write() const;
  void remove() const;

  /// What `kept_survey.hpp` keeps.
  static constexpr std::string_view kAverage = "average";
  static constexpr std::string_view kRows = "rows";

  /// Bytes that begin at a multiple of 8. Lifetime: valid as long as the file is mapped.
  struct Kept {
    MappedFile file;
    std::span<const std::byte> bytes;
  };
  /// The bytes that `keep` stored for exactly these files.
  [[nodiscard]] std::optional<Kept> kept(std::string_view what) const;
  /// Stores the pieces, one behind the other. Requires: they depend only on these files, and the files passed the check.
  void keep(std::string_view what, std::span<const std::span<const std::byte>> pieces) const;

  static constexpr std::size_t most_records = 1000;

 private:
  [[nodiscard]] std::string name_of(std::string_view what) const { return name_ + "-" + std::string(what); }
  /// The header that precedes kept bytes of this checksum.
  [[nodiscard]] std::string head_of_kept(std::uint64_t checksum) const;

  std::string name_;
  std::string text_;  // empty if these files can have no record
};

/// Checks a pool as far as `trust` demands, and that no file changes meanwhile. If `trust` uses records, success is
/// recorded and failure removes the record. Throws what `check` throws, and CorruptFileError.
[[nodiscard]] CheckedTexts check_once(const OpenPool& pool, PoolTrust trust,
                                      const std::function<CheckedTexts(CheckExtent)>& check);

}  // namespace inkling
