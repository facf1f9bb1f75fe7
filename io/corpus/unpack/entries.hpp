// Walks the files that sources consist of, in folders and archives too.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/corpus/unpack/archive_reader.hpp"
#include "io/corpus/unpack/byte_stream.hpp"

namespace inkling {

class ArchivedLinks;
class FolderWalk;

/// One file of a source.
/// Lifetime: the stream is valid until the next entry is asked for.
struct Entry {
  std::string root;  // the folder or archive that was given, or the folder of a file that was given
  std::string path;  // below the root
  InputStream* stream = nullptr;
  std::uint64_t begin = 0;  // if only a part of the file is read: where the part begins
  bool is_utf16 = false;    // by its mark; the stream is UTF-8
  bool is_within = false;   // a folder or an archive

  /// The name in messages.
  [[nodiscard]] std::string name() const { return joined_path(root, path); }
};

/// A file that a walk over sources finds, or a part of it.
struct FilePiece {
  std::string root;  ///< as an Entry has them
  std::string path;
  bool in_folder = false;  ///< the root is a folder that was given, not the folder of a given file
  /// A part of a file that is not packed: its bytes [begin, end).
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const Range&) const = default;
  };
  std::optional<Range> range = {};  ///< nothing for the whole file

  bool operator==(const FilePiece&) const = default;
};

/// Visits all files that a walk over the sources finds, in its order, without opening archives and compressed files.
/// Returns how many links in folders were not followed. Throws SystemError.
std::int64_t visit_files_of_sources(const std::vector<std::string>& paths, bool follow_links,
                                    const std::function<void()>& check_interruption, const std::function<void(FilePiece)>& visit);

/// Files, and those in folders and archives, in the order given. A folder is walked in order of paths; every file that is
/// an archive or compressed, by its content, is unpacked while it is read, within archives, too. An archive in a folder
/// or in an archive counts as a folder of the same name. Hidden files (a name that begins with a point) are left out of
/// folders and archives. A compressed file that is not an archive keeps its name. Links in archives are followed within
/// the archive; files found through links come after its other files. Failures throw SystemError; archives that are
/// damaged or too large, and files that are not packed as their names say, throw FormatError. Thread safety: one thread
/// at a time, but `bytes_read` and `unpacking_memory` may be asked by any.
class Entries {
 public:
  /// `check_interruption` is called now and then, while the next entry is searched for; a throw ends the walk.
  Entries(std::vector<std::string> paths, UnpackingLimits limits, std::function<void()> check_interruption = {});
  /// Visits only these files and parts of files, each as a walk over the sources would.
  Entries(std::vector<FilePiece> pieces, UnpackingLimits limits, std::function<void()> check_interruption = {});
  ~Entries();
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  /// The next entry, or nothing at the end. Skips what was not read of the entry before.
  [[nodiscard]] std::optional<Entry> next();

  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }
  /// Links in folders that are not followed.
  [[nodiscard]] std::int64_t links_left_out() const { return links_left_out_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// The most that unpacking a file needed so far.
  [[nodiscard]] std::uint64_t unpacking_memory() const { return unpacking_memory_.load(std::memory_order_relaxed); }
  /// Brings `bytes_read` up to date; to be called after reading from an entry.
  void note_progress();

 private:
  struct OpenFile;
  struct OpenArchive;
  class Content;

  static constexpr std::size_t kMostLayers = 8;

  [[nodiscard]] bool open_next_file();
  void open_file(std::string root, std::string path);
  [[nodiscard]] bool open_again();
  void close_file();
  void count_below(const std::string& path);
  [[nodiscard]] std::optional<Entry> next_in_archive();
  [[nodiscard]] std::optional<std::string> next_visible_path(OpenArchive& archive);
  [[nodiscard]] std::optional<Entry> found(std::unique_ptr<Content> content, std::string path);
  [[nodiscard]] Entry part_of_open_file();
  void end_archive();

  std::vector<FilePiece> pieces_;  // if there are any, there are no paths
  std::size_t next_piece_ = 0;
  bool in_folder_ = false;                 // the open file was found in a folder
  std::optional<FilePiece::Range> range_;  // of the open file, if only a part of it is read
  std::optional<LimitedStream> part_;
  std::vector<std::string> paths_;
  std::size_t next_path_ = 0;
  UnpackingLimits limits_;
  std::function<void()> check_interruption_;
  std::string folder_;  // whose files `walk_` lists
  std::unique_ptr<FolderWalk> walk_;
  std::unique_ptr<OpenFile> open_;
  std::unique_ptr<ArchivedLinks> links_;  // of the open file, after it was read to its end
  std::size_t round_ = 0;                 // how often it was read; each time one link to each file is followed
  bool more_links_ = false;
  std::array<std::uint64_t, kMostLayers> unpacked_ = {};  // unpacked bytes of all files so far, by layer
  std::uint64_t bytes_of_closed_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::int64_t links_left_out_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::atomic<std::uint64_t> unpacking_memory_ = 0;
};

}  // namespace inkling
