// Where scores go: standard output, one file for all users, or a file for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/commands/score_options.hpp"
#include "io/file/output_file.hpp"
#include "io/score/score_format.hpp"

namespace inkling {

/// Files appear whole, in close(), or not at all; what is left for standard output goes there in close().
/// Thread safety: one thread at a time.
class ScoreOutput {
 public:
  /// Opens what will be written, so that a place where nothing can be written is known before the work.
  /// Throws UsageError where two files of events would share a file, SystemError.
  explicit ScoreOutput(const ScoreOptions& options);

  /// Before the first line: how many each user will have.
  void begin(const std::vector<std::int64_t>& lines_of_users);

  /// The next line of a user. Where users share a file, lines stand in the order of the calls.
  void append(std::size_t user, ScoreLine line);

  void close();

 private:
  void write(std::size_t place, std::string_view text);
  void flush();

  std::vector<std::string> users_;
  bool shared_;  // one place for all users
  ScoreFormatter formatter_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // by place; null is standard output
  std::string line_;
  std::string waiting_;  // for standard output
};

}  // namespace inkling
