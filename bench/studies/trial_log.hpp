// The finished trials of a study as lines of a file, so that a stopped run goes on where it was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/trial.hpp"

namespace inkling::bench {

/// One file: a first line that says what its trials depend on, then a JSON object a trial, in order. A last
/// line that was cut off is dropped; a file of other settings, and what cannot be read, is started again: a log
/// only saves time. Words learned are not kept. Thread safety: one thread at a time.
class TrialLog {
 public:
  /// Reads what is there. `settings` holds everything that the trials depend on. Throws SystemError.
  TrialLog(std::string path, std::string_view settings, std::size_t entrants);
  ~TrialLog();
  TrialLog(const TrialLog&) = delete;
  TrialLog& operator=(const TrialLog&) = delete;
  TrialLog(TrialLog&&) = delete;
  TrialLog& operator=(TrialLog&&) = delete;

  /// By trial and entrant, those of earlier runs; hands them over once.
  [[nodiscard]] std::vector<std::vector<TrialResult>> take_finished() { return std::move(finished_); }

  /// The next trial is on disk when this returns, as far as the system tells. Throws SystemError.
  void append(const std::vector<TrialResult>& trial);

 private:
  void write(std::string_view line);

  std::string path_;
  std::vector<std::vector<TrialResult>> finished_;
  int descriptor_ = -1;
};

}  // namespace inkling::bench
