// An open file, and what the system knows of it.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace inkling {

/// Two names lead to one file exactly where these are equal, whatever links are between.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

/// Since the beginning of 1970.
struct FileTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  [[nodiscard]] static FileTime now();
  [[nodiscard]] std::int64_t whole_nanoseconds() const noexcept { return seconds * 1'000'000'000 + nanoseconds; }
  auto operator<=>(const FileTime&) const = default;
};

enum class FileKind { file, folder, link, pipe, other };

struct FileStatus {
  FileKind kind = FileKind::other;
  FileIdentity identity;
  std::uint64_t size = 0;
  FileTime modified;         ///< of the last write; whoever may write to the file can set it
  FileTime changed;          ///< of the last change of anything, its name included; only the system sets it
  std::uint64_t names = 1;   ///< hard links; 0 once it was removed
  unsigned permissions = 0;  ///< as chmod() takes them, 0777 at most
  std::uint64_t owner = 0;

  /// Whether it belongs to the user of this process.
  [[nodiscard]] bool is_own() const noexcept;
  [[nodiscard]] bool is_file() const noexcept { return kind == FileKind::file; }
  [[nodiscard]] bool is_folder() const noexcept { return kind == FileKind::folder; }
};

/// What for, and what may be there. Children of this process inherit none of them.
enum class OpenAs {
  reader,             ///< opening a pipe waits for its writer
  prompt_reader,      ///< never waits
  unfollowed_reader,  ///< never waits; a symbolic link is refused
  unfollowed_editor,  ///< to read and write; never waits; a symbolic link is refused
  writer,             ///< to write to what is there: a device, a pipe
  appender,           ///< to write at the end; made where there is none
  fresh,              ///< to read and write a new file; EEXIST where there is one
  lock,               ///< to read and write; made where there is none; never waits; a symbolic link is refused
  folder,             ///< to sync it and to open what is in it
  unfollowed_folder,  ///< the same; a symbolic link is refused
};

enum class StandardStream { input, output, error };

/// Owns an open file, or none. Where a member or `open` fails, errno says why; EINTR is seen only once a signal asked the
/// program to end (interruption.hpp). Move-only. Thread safety: reading and writing at a position, from any thread.
class File {
 public:
  /// Takes the number by which the system knows an open file; below 0: none.
  explicit File(int number = -1) noexcept : number_(number) {}
  ~File() { static_cast<void>(close()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File(File&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  /// `permissions` are those of a new file, less the umask.
  [[nodiscard]] static File open(const std::string& path, OpenAs how, unsigned permissions = 0666) noexcept;
  /// The same of a name in an open folder, whatever has taken the place of the folder since.
  [[nodiscard]] static File open_in(const File& folder, const std::string& name, OpenAs how,
                                    unsigned permissions = 0666) noexcept;
  /// A file in `folder` without a name; where the system has none, one called `name` for an instant. It is gone once it is
  /// closed.
  [[nodiscard]] static File nameless(const std::string& folder, const std::string& name) noexcept;
  /// The same in memory, with a path by which this process can open it.
  [[nodiscard]] static File in_memory(std::string& path) noexcept;
  /// As a folder to open names in: the one that relative paths begin in.
  [[nodiscard]] static const File& working_folder() noexcept;
  /// Never closed.
  [[nodiscard]] static const File& standard(StandardStream stream) noexcept;
  [[nodiscard]] File duplicate() const noexcept;

  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  [[nodiscard]] int number() const noexcept { return number_; }
  /// 0 or errno. Not open afterwards in any case.
  [[nodiscard]] int close() noexcept;

  [[nodiscard]] std::optional<FileStatus> status() const noexcept;
  /// Whether the path leads to this file.
  [[nodiscard]] bool is_at(const std::string& path) const noexcept;
  /// Whether the file system is known to keep identities and to set the time of a change. Others may do so, too.
  [[nodiscard]] bool keeps_stamps() const noexcept;

  /// How many bytes came: 0 at the end, -1 where it failed.
  [[nodiscard]] std::ptrdiff_t read(std::span<std::byte> bytes) const noexcept;
  /// Fills `bytes` from a position on; returns how many there were. Where these are fewer, errno is that of the failure,
  /// or 0 at the end of the file.
  [[nodiscard]] std::size_t read_at(std::span<std::byte> bytes, std::uint64_t position) const noexcept;
  /// A copy of what a pipe holds now, as many as fit, which stay in it; as `read`.
  [[nodiscard]] std::ptrdiff_t peek_pipe(std::span<std::byte> bytes) const noexcept;

  /// All bytes, however few the system takes at a time and however often it is interrupted; 0 or errno.
  [[nodiscard]] int write_all(std::span<const std::byte> bytes) const noexcept;
  [[nodiscard]] int write_all_at(std::span<const std::byte> bytes, std::uint64_t position) const noexcept;
  /// What was written, or a folder's names, are on the disk; 0 or errno. An error is never tried again: the system may have
  /// dropped what it could not write.
  [[nodiscard]] int sync() const noexcept;
  /// From where `read` and `write_all` continue; 0 or errno.
  [[nodiscard]] int seek(std::uint64_t position) const noexcept;
  [[nodiscard]] int resize(std::uint64_t bytes) const noexcept;

  /// Locks the file until it is closed or the process ends, however that ends; 0 or errno: EWOULDBLOCK where it is locked
  /// elsewhere, in this process or another, and one that `says_no_locks` where the file system has none.
  [[nodiscard]] int try_lock() const noexcept;

  /// Hints, which a system may ignore: write these bytes soon, read them soon, they are needed no more.
  void start_writeback(std::uint64_t position, std::uint64_t bytes) const noexcept;
  void prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept;
  void release(std::uint64_t position, std::uint64_t bytes) const noexcept;

 private:
  int number_;
};

/// Whether this is why a file system without locks refuses one.
[[nodiscard]] bool says_no_locks(int error) noexcept;

/// Opens a file for reading that must be a regular one, and never waits: what is a folder, a pipe or a device is refused
/// with a SystemError naming `path`.
[[nodiscard]] File open_regular_file(const std::string& path);
/// The same of what messages call `path`, and of a name in an open folder.
[[nodiscard]] File open_regular_file(const std::string& opened, const std::string& path);
[[nodiscard]] File open_regular_file(const File& folder, const std::string& name, const std::string& path);

/// All of a regular file, and nothing where it has more than `most` bytes. Throws SystemError.
[[nodiscard]] std::optional<std::string> text_of_file(const std::string& path, std::uint64_t most);

/// Puts something in the place of standard input, output and error where they are closed, so that whoever uses them gets
/// an error, and no file that is opened later takes their place.
void hold_standard_streams() noexcept;

}  // namespace inkling
