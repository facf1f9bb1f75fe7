// A file being written that appears under its name whole, or not at all.
#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

#include "io/file/write_calls.hpp"

namespace inkling {

/// Writes beside the final name and renames in close(). A target that exists and is no regular file (a
/// terminal, a pipe, /dev/null) is written to directly. Every failure throws SystemError with the path and
/// errno. Lifetime: destroyed without close(), it removes what it wrote; an older file of that name stays as
/// it was. Thread safety: one thread at a time.
class OutputFile {
 public:
  explicit OutputFile(std::string path, WriteCalls calls = WriteCalls::of_system());
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view text);

  /// Requires: not closed yet.
  void close();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void open_temporary(mode_t mode);
  void flush();
  void discard() noexcept;
  [[noreturn]] void fail(int error) const;

  std::string path_;       // as given, for messages
  std::string target_;     // with symbolic links followed
  std::string temporary_;  // empty where the target is written directly
  std::string buffer_;
  WriteCalls calls_;
  int descriptor_ = -1;
};

/// Makes a folder and those that it lies in, where they are not there yet. Throws SystemError.
void make_folder(const std::string& path);

/// The whole of a small file at once.
void write_file(const std::string& path, std::string_view text);

}  // namespace inkling
