// A live line of progress for a person at a terminal: label, share done, rate, time left.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace inkling {

/// Where progress is shown and what time it is. Without a sink nothing is shown.
struct ProgressDisplay {
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Ending { erase, keep };

  std::function<void(std::string_view)> sink = {};
  std::function<TimePoint()> now = [] { return std::chrono::steady_clock::now(); };
  int columns = 80;
  Ending ending = Ending::erase;
};

/// Standard error where that is a terminal; else a display without a sink.
[[nodiscard]] ProgressDisplay standard_error_display();

/// Draws at most ten times a second, for the first time after a tenth of a second.
/// Thread safety: advance() from any thread; finish() once, when no thread advances any more (the destructor
/// does it).
class Progress {
 public:
  /// A total of 0 is an unknown total: no share and no time left are shown.
  Progress(std::string label, std::uint64_t total, ProgressDisplay display = standard_error_display());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(std::uint64_t steps = 1);

  /// These steps were done by an earlier run: they count as done but not as speed. Thread safety: as
  /// advance().
  void skip(std::uint64_t steps);

  /// Shown at the end of the line from the next drawing on. Thread safety: as advance().
  void note(std::string text);

  /// Erases the line, or draws it a last time and ends it, as the display says. Nothing is drawn after it.
  void finish();

 private:
  void draw(ProgressDisplay::TimePoint now);
  [[nodiscard]] std::string line(ProgressDisplay::TimePoint now) const;
  [[nodiscard]] std::string noted();

  const std::string label_;
  const std::uint64_t total_;
  const ProgressDisplay display_;
  const ProgressDisplay::TimePoint start_;
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> skipped_{0};  // of those done
  std::atomic<ProgressDisplay::TimePoint::rep> next_draw_;
  std::mutex drawing_;
  std::mutex noting_;
  std::string note_;
  bool drawn_ = false;
  bool finished_ = false;
};

/// Progress of work in phases: a line for each of them, one after the other. Thread safety: any thread.
class PhasedProgress {
 public:
  /// A new label begins a new line. `done` counts from the start of the phase. Throws InterruptedError once
  /// Ctrl-C was pressed.
  void show(std::string_view label, std::uint64_t done, std::uint64_t total, const std::string& note = {});

 private:
  std::mutex showing_;
  std::optional<Progress> line_;
  std::string label_;
  std::uint64_t shown_ = 0;
};

/// "950", "12.3k", "4.5M": a count in about four characters.
[[nodiscard]] std::string short_count(double count);

/// "0:07", "12:34", "3:05:00".
[[nodiscard]] std::string short_duration(std::chrono::seconds duration);

}  // namespace inkling
