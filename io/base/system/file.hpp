// An open file, and what the system knows of it.
#pragma once

#include <cerrno>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace inkling {

/// Two paths lead to the same file if and only if these are equal, whatever links they follow.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  auto operator<=>(const FileIdentity&) const = default;
};

/// Of errno: the file is not where it was, and more than a user's share of the disk. Systems that lack one never set it.
#ifdef ESTALE
inline constexpr int kStaleFile = ESTALE;
#else
inline constexpr int kStaleFile = 1'000;
#endif
#ifdef EDQUOT
inline constexpr int kQuotaExceeded = EDQUOT;
#else
inline constexpr int kQuotaExceeded = 1'001;
#endif

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

/// What a file is opened for, and what may be at the path. Child processes inherit no open file.
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

/// Owns an open file, or none. If a member or `open` fails, errno says why; EINTR is returned only after a signal asked the
/// program to end (interruption.hpp). Move-only. Thread safety: any thread may read and write at a position.
class File {
 public:
  /// Owns this file descriptor; below 0: none.
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
  /// Opens a name in an open folder, even if the path of the folder now leads to another one.
  [[nodiscard]] static File open_in(const File& folder, const std::string& name, OpenAs how,
                                    unsigned permissions = 0666) noexcept;
  /// A file in `folder` without a name; if the system cannot make one, a file that is called `name` for an instant. It disappears
  /// when it is closed.
  [[nodiscard]] static File nameless(const std::string& folder, const std::string& name) noexcept;
  /// The same in memory; sets `path` to one by which this process can open it.
  [[nodiscard]] static File in_memory(std::string& path) noexcept;
  /// The folder that relative paths begin in, to open names in it.
  [[nodiscard]] static const File& working_folder() noexcept;
  /// A standard stream, which is never closed.
  [[nodiscard]] static const File& standard(StandardStream stream) noexcept;
  [[nodiscard]] File duplicate() const noexcept;

  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  [[nodiscard]] int number() const noexcept { return number_; }
  /// Returns 0 or errno. The file is not open afterwards in either case.
  [[nodiscard]] int close() noexcept;

  [[nodiscard]] std::optional<FileStatus> status() const noexcept;
  /// Whether the path leads to this file.
  [[nodiscard]] bool is_at(const std::string& path) const noexcept;
  /// Whether the file system is known to keep identities and times of changes. Others may keep them, too.
  [[nodiscard]] bool keeps_stamps() const noexcept;

  /// Returns how many bytes were read: 0 at the end, -1 on failure.
  [[nodiscard]] std::ptrdiff_t read(std::span<std::byte> bytes) const noexcept;
  /// Fills `bytes` from a position on and returns how many were read. If they are fewer, errno is that of the failure, or 0 at
  /// the end of the file.
  [[nodiscard]] std::size_t read_at(std::span<std::byte> bytes, std::uint64_t position) const noexcept;
  /// Copies bytes that a pipe holds now, as many as fit, and leaves them in it. Returns as `read` does.
  [[nodiscard]] std::ptrdiff_t peek_pipe(std::span<std::byte> bytes) const noexcept;

  /// Writes all bytes, in as many calls as it takes; returns 0 or errno.
  [[nodiscard]] int write_all(std::span<const std::byte> bytes) const noexcept;
  [[nodiscard]] int write_all_at(std::span<const std::byte> bytes, std::uint64_t position) const noexcept;
  /// Waits until the written bytes, or the names in a folder, are on the disk; returns 0 or errno. Never retried after an error:
  /// the system may have dropped what it could not write.
  [[nodiscard]] int sync() const noexcept;
  /// Sets where `read` and `write_all` continue; returns 0 or errno.
  [[nodiscard]] int seek(std::uint64_t position) const noexcept;
  [[nodiscard]] int resize(std::uint64_t bytes) const noexcept;

  /// Locks the file until it is closed or the process ends, even by a crash. Returns 0 or errno: EWOULDBLOCK if this or another
  /// process has locked it, and an error that `says_no_locks` if the file system has no locks.
  [[nodiscard]] int try_lock() const noexcept;

  /// Hints that a system may ignore: write these bytes soon, read them soon, they are not needed any more.
  void start_writeback(std::uint64_t position, std::uint64_t bytes) const noexcept;
  void prefetch(std::uint64_t position, std::uint64_t bytes) const noexcept;
  void release(std::uint64_t position, std::uint64_t bytes) const noexcept;

 private:
  int number_;
};

/// Whether this errno means that the file system has no locks.
[[nodiscard]] bool says_no_locks(int error) noexcept;

/// Opens a regular file for reading and never waits: for a folder, a pipe or a device it throws SystemError, naming `path`.
[[nodiscard]] File open_regular_file(const std::string& path);
/// The same for a file that messages call `path`: at the path `opened`, or with a name in an open folder.
[[nodiscard]] File open_regular_file(const std::string& opened, const std::string& path);
[[nodiscard]] File open_regular_file(const File& folder, const std::string& name, const std::string& path);

/// The text of a regular file; nothing if it has more than `most` bytes. Throws SystemError.
[[nodiscard]] std::optional<std::string> text_of_file(const std::string& path, std::uint64_t most);

/// Opens placeholders for those of standard input, output and error that are closed, so that using them is an error, and no file
/// that is opened later gets their number.
void hold_standard_streams() noexcept;

}  // namespace inkling
