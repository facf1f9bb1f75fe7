// What was checked of a pool once and is not checked again while its files stay as they are: a small file for each pool in
// the user's cache.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/corpus/pool/open/contents_check.hpp"
#include "io/corpus/pool/open/open_pool.hpp"

namespace inkling {

/// That the files of a pool, as they are now, passed the whole check by this version of the program.
///
/// A record is one file in $XDG_CACHE_HOME/inkling, or ~/.cache/inkling. It holds the checksum of the manifest, and device,
/// inode, length, time of the last write and time of the last change of each file. It counts where it says, byte for byte,
/// what a new one would say, is a file of this user to which nobody else may write, and lies in such a folder. So nothing
/// of it is ever interpreted, and one that is cut, forged or of another version is none. What takes long to compute of these
/// files may lie beside it, in a file that begins as the record does and is of no use where the record is none.
///
/// There is no record of files that changed less than two seconds before they were opened, because a later change could
/// bear the same time; nor of files on a file system of which it is not known that it keeps inodes and times (networks,
/// FAT). Where the cache cannot be read or written, there is none either: no failure is ever told of.
///
/// What is trusted: that the system notes the time whenever bytes of a file change. It does not where bits rot on the
/// disk, a disk is written to past its file system or loses power during a write, the clock is set back, or a
/// program still has a file of the pool mapped for writing.
///
/// Thread safety: const from several threads and processes.
class CheckedRecord {
 public:
  /// Of the files as they were when they were opened; nothing is looked for yet. Requires: none was closed.
  explicit CheckedRecord(const OpenPool& pool);

  [[nodiscard]] bool is_there() const;
  /// Requires: the files passed the check after they were opened. Removes old records where there are very many.
  void write() const;
  void remove() const;

  /// The average document: see io/search/score/average_document.hpp.
  static constexpr std::string_view kAverage = "average";

  /// What `keep` was given for these very files, if it is at most so many bytes.
  [[nodiscard]] std::optional<std::string> kept(std::string_view what, std::size_t most) const;
  /// Requires: the bytes were made of nothing but these files, which passed the check.
  void keep(std::string_view what, std::string_view bytes) const;

  static constexpr std::size_t most_records = 1000;

 private:
  [[nodiscard]] std::string name_of(std::string_view what) const { return name_ + "-" + std::string(what); }
  [[nodiscard]] std::string with_kept(std::string_view bytes) const;
  void write(const std::string& name, std::string_view text) const;

  std::string name_;
  std::string text_;  // empty where these files have none
};

/// Checks a pool as far as this trust asks for, and that no file changes meanwhile; what it finds becomes the record.
/// Throws what `check` throws, and CorruptFileError.
[[nodiscard]] CheckedTexts check_once(const OpenPool& pool, PoolTrust trust,
                                      const std::function<CheckedTexts(CheckExtent)>& check);

}  // namespace inkling
