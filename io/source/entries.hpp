// Walks the files that sources consist of, in folders and archives too.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/source/archive_reader.hpp"
#include "io/source/byte_stream.hpp"

namespace inkling {

class FolderWalk;

/// "FOLDER/NAME", and NAME alone where the folder is the current one.
[[nodiscard]] std::string joined_path(const std::string& folder, const std::string& name);

/// One file of a source.
/// Lifetime: the stream is valid until the next entry is asked for.
struct Entry {
  std::string root;  // the folder or archive that was given, or the folder of the file that was
  std::string path;  // below the root
  InputStream* stream = nullptr;

  /// As messages show it.
  [[nodiscard]] std::string name() const { return joined_path(root, path); }
};

/// Files, and those in folders and archives, in the order given. A folder is walked in order of paths; a file
/// in it or given by itself that is an archive or compressed (told by its content) is unpacked as it is read,
/// but nothing within an archive is unpacked again. An archive in a folder counts as a folder of its name.
/// Hidden files (a name that begins with a point) are left out of folders and archives. A compressed file
/// that is not an archive keeps its name. Failures throw SystemError, damaged or too large archives FormatError.
/// Thread safety: one thread at a time, but `bytes_read` may be asked by any.
class Entries {
 public:
  Entries(std::vector<std::string> paths, UnpackingLimits limits);
  ~Entries();
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;

  /// Passes over what was not read of the entry before.
  [[nodiscard]] std::optional<Entry> next();

  [[nodiscard]] std::uint64_t total_bytes() const { return total_bytes_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }
  /// Brings `bytes_read` up to date; to be called after reading from an entry.
  void note_progress();

 private:
  struct OpenFile;

  [[nodiscard]] bool open_next_file();
  void open_file(std::string root, std::string path);
  [[nodiscard]] std::optional<Entry> next_in_archive();

  std::vector<std::string> paths_;
  std::size_t next_path_ = 0;
  UnpackingLimits limits_;
  std::string folder_;  // whose files `walk_` lists
  std::unique_ptr<FolderWalk> walk_;
  std::unique_ptr<OpenFile> open_;
  std::uint64_t decompressed_ = 0;  // what all files came to so far, and what all archives did
  std::uint64_t extracted_ = 0;
  std::uint64_t bytes_of_closed_ = 0;
  std::uint64_t total_bytes_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
};

}  // namespace inkling
