// A file being written that appears under its name whole, or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/file/output_file.hpp"
#include "io/base/system/folder.hpp"

namespace inkling {

class PartialFolder;

/// Writes into a PartialFolder beside the final name and renames in close(). Leftovers of killed programs that wrote to the same
/// name are removed first. A target that exists and is not a regular file (a terminal, a pipe, /dev/null) is written to directly.
/// Every failure throws SystemError with the path and errno; a signal that asks the program to end throws InterruptedError.
/// Lifetime: destroyed without close(), it removes what it wrote; an older file of that name stays as it was. Thread safety: one
/// thread at a time.
class OutputFile {
 public:
  enum class Leftovers { remove, were_removed };

  explicit OutputFile(std::string path, Leftovers leftovers = Leftovers::remove);
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

  OutputFile(std::string path, File file);
  void open_partial(unsigned permissions);
  void flush();
  [[noreturn]] void fail(int error) const;

  std::string path_;    // as given, for messages
  std::string target_;  // with symbolic links followed
  std::string buffer_;
  std::unique_ptr<PartialFolder> partial_;  // none where the target is written directly
  File file_;
};

/// Opens many files, and looks for leftovers in each of their folders only once.
[[nodiscard]] std::vector<std::unique_ptr<OutputFile>> open_outputs(const std::vector<std::string>& paths);

/// Makes a folder and its missing parent folders. Throws SystemError.
void make_folder(const std::string& path);

/// Writes a whole small file, even after a signal asked the program to end, so that finished results are kept.
void write_file(const std::string& path, std::string_view text);

}  // namespace inkling
