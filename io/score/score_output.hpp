// Where scores are written: standard output, one file for all users, or a file for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/file/output_file.hpp"
#include "io/score/score_format.hpp"

namespace inkling {

struct ScoreOutputOptions {
  ScoreFormat format = ScoreFormat::jsonl;
  bool explain = false;  ///< write the words that made each score
  Colour colour = Colour::off;
  /// None for standard output, one that all users share, or one for each user.
  std::vector<std::string> files = {};
  std::function<void(std::string_view text)> print = {};  ///< writes to standard output
};

/// Files appear whole, in close(), or not at all; the last text for standard output is printed in close().
/// Thread safety: one thread at a time.
class ScoreOutput {
 public:
  /// Opens the files, so that one that cannot be written is known before the work. A user is named by its
  /// file of events. Throws SystemError.
  ScoreOutput(std::vector<std::string> users, ScoreOutputOptions options);

  [[nodiscard]] const ScoreOutputOptions& options() const { return options_; }

  /// Before the first line: how many each user will have.
  void begin(const std::vector<std::int64_t>& lines_of_users);

  /// The next line of a user. Where users share a file, lines stand in the order of the calls.
  void append(std::size_t user, ScoreLine line);

  void close();

 private:
  void write(std::size_t file, std::string_view text);
  void print_waiting();

  std::vector<std::string> users_;
  ScoreOutputOptions options_;
  bool shared_;  // one file, or standard output, for all users
  ScoreFormatter formatter_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // none for standard output
  std::string line_;
  std::string waiting_;  // for standard output
};

}  // namespace inkling
