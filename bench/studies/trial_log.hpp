// Finished trials in a file, so that a stopped run can continue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/trial.hpp"
#include "io/base/system/file.hpp"

namespace inkling::bench {

/// By number of trial, the results of all entrants.
using FinishedTrials = std::map<std::int64_t, std::vector<TrialResult>>;

/// One JSON object a line: first what the trials depend on, then a trial each, in any order. Each line ends in its
/// XXH3 checksum, and a trial's checksum covers the first line, too, so lines of other files are recognised. A line
/// that is cut off, changed or repeated is left out, and the file is rewritten without it; a file of other settings is
/// rewritten without any trial. Words learned are not kept.
/// Thread safety: one thread at a time. One process at a time should use a file (WriterLock).
class TrialLog {
 public:
  /// The message about a damaged file, in one line.
  using Note = std::function<void(const std::string& text)>;

  /// Reads the file. `settings` holds everything that the trials depend on. Throws SystemError.
  TrialLog(std::string path, std::string_view settings, std::size_t entrants, const Note& note);

  /// The trials of earlier runs. Call it once: it hands them over.
  [[nodiscard]] FinishedTrials take_finished();

  /// The trial is in the file when this returns, as far as the system reports. Throws SystemError.
  void append(std::int64_t trial, const std::vector<TrialResult>& results);

 private:
  void read(std::size_t entrants, const Note& note);

  std::string path_;
  std::string header_;  // the first line, without its end
  FinishedTrials finished_;
  File file_;
};

}  // namespace inkling::bench
