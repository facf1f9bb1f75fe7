// A file being written that appears under its name whole, or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace inkling {

/// Each behaves as the call it is named after.
struct WriteCalls {
  ssize_t (*write)(int descriptor, const void* bytes, std::size_t count);
  ssize_t (*pwrite)(int descriptor, const void* bytes, std::size_t count, off_t position);
  int (*fsync)(int descriptor);
  int (*rename)(const char* from, const char* to);
  /// Two names change places in one step: renameat2 with RENAME_EXCHANGE.
  int (*exchange)(const char* one, const char* other);

  [[nodiscard]] static WriteCalls of_system();

  /// All bytes, however few the system takes at a time and however often it is interrupted; 0 or errno, which is EINTR
  /// only where a signal asked the program to end.
  [[nodiscard]] int write_all(int descriptor, std::span<const std::byte> bytes) const;
  /// The same at a position.
  [[nodiscard]] int write_all_at(int descriptor, std::span<const std::byte> bytes,
                                 std::uint64_t position) const;
  /// 0 or errno. An error is never tried again: the system may have dropped what it could not write.
  [[nodiscard]] int sync(int descriptor) const;
};

/// Owns an open file, or none (-1). Move-only.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor() { static_cast<void>(close()); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  /// 0 or errno. Not open afterwards in any case: on Linux the descriptor is gone even where close reports an error.
  [[nodiscard]] int close() noexcept;

 private:
  int number_;
};

/// Fills `bytes` from a position of a file on; returns how many there were. Where these are fewer, errno is
/// that of the failure, or 0 at the end of the file.
[[nodiscard]] std::size_t read_at(int descriptor, std::span<std::byte> bytes,
                                  std::uint64_t position) noexcept;

/// The path with symbolic links followed, or as it is where nothing stands there yet.
[[nodiscard]] std::string resolved_path(const std::string& path);

/// Whether the path leads to what is open.
[[nodiscard]] bool is_open_as(int descriptor, const std::string& path) noexcept;

class PartialFolder;

/// Writes into a PartialFolder beside the final name and renames in close(). What killed programs left of outputs of
/// the same name is removed first. A target that exists and is not a regular file (a terminal, a pipe, /dev/null) is
/// written to directly. Every failure throws SystemError with the path and errno; a signal that asks the program to end
/// throws InterruptedError. Lifetime: destroyed without close(), it removes what it wrote; an older file of that name
/// stays as it was. Thread safety: one thread at a time.
class OutputFile {
 public:
  enum class Leftovers { remove, were_removed };

  explicit OutputFile(std::string path, WriteCalls calls = WriteCalls::of_system(),
                      Leftovers leftovers = Leftovers::remove);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Standard output as a file: bytes go there as they come, after what was there before.
  [[nodiscard]] static OutputFile standard_output();
  /// Standard output where the path is "-".
  [[nodiscard]] static OutputFile at(const std::string& path);

  /// Throws InterruptedError, too, once a signal asked the program to end.
  void append(std::string_view text);

  /// Requires: not closed yet.
  void close();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  friend void write_file(const std::string& path, std::string_view text);

  OutputFile(std::string path, Descriptor descriptor, WriteCalls calls);
  void open_partial(mode_t mode);
  void flush();
  [[noreturn]] void fail(int error) const;

  std::string path_;    // as given, for messages
  std::string target_;  // with symbolic links followed
  std::string buffer_;
  WriteCalls calls_;
  std::unique_ptr<PartialFolder> partial_;  // none where the target is written directly
  Descriptor descriptor_;
};

/// Opens many files; the folders that they lie in are looked through only once.
[[nodiscard]] std::vector<std::unique_ptr<OutputFile>> open_outputs(const std::vector<std::string>& paths);

/// Makes a folder and those that it lies in, where they are not there yet. Throws SystemError.
void make_folder(const std::string& path);

/// The whole of a small file at once, also once a signal asked the program to end: results that are there are kept.
void write_file(const std::string& path, std::string_view text);

}  // namespace inkling
