// A live search as JSON lines: one object in, one object out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "io/base/system/file.hpp"
#include "io/search/service/search_service.hpp"

namespace inkling {

/// The lines of a pipe, each as soon as it is complete. Lends the file descriptor. Thread safety: one thread.
class RequestLines {
 public:
  /// Of a line that is longer than `most_bytes`, keeps only one byte more than that.
  /// Lifetime: the file outlives it.
  RequestLines(const File& file, std::size_t most_bytes) : file_(&file), most_bytes_(most_bytes) {}
  RequestLines(File&& file, std::size_t most_bytes) = delete;

  /// The next line without its end, valid until the next call; nothing at the end of the input. Waits. The last line
  /// needs no line end. Throws SystemError, and InterruptedError where a signal asks the program to end meanwhile.
  [[nodiscard]] std::optional<std::string_view> next();

 private:
  [[nodiscard]] bool fill();
  void append_to_line(std::string_view text);

  const File* file_;
  std::size_t most_bytes_;
  std::string buffer_;
  std::size_t used_ = 0;  // of buffer_
  std::string line_;
};

/// The answer to one line, without a line end. A mistake of the asker, numbers that cannot be learned from, and a failure to
/// keep the answer are answered by {"error": ..., "expected": ...} and change nothing. Throws what is none of these.
[[nodiscard]] std::string answer_line(SearchService& service, std::string_view line);

}  // namespace inkling
