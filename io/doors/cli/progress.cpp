#include "io/doors/cli/progress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "io/base/system/interruption.hpp"
#include "io/doors/cli/terminal.hpp"

namespace inkling {
namespace {

using TimePoint = ProgressDisplay::TimePoint;

constexpr auto kDrawingInterval = std::chrono::milliseconds(100);

// Cuts between characters, because a label may hold more than ASCII.
std::string shortened(std::string line, int columns) {
  int left = columns;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool starts_character = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
    if (starts_character && left-- == 0) return line.substr(0, i);
  }
  return line;
}

}  // namespace

ProgressDisplay standard_error_display() {
  const TerminalFacts facts = terminal_facts(Stream::error);
  ProgressDisplay display;
  if (!facts.is_terminal) return display;
  display.columns = facts.columns;
  display.sink = tell;
  return display;
}

Progress::Progress(std::string label, std::uint64_t total, ProgressDisplay display)
    : label_(std::move(label)),
      total_(total),
      display_(std::move(display)),
      start_(display_.now()),
      next_draw_((start_ + kDrawingInterval).time_since_epoch().count()) {}

Progress::~Progress() { finish(); }

void Progress::advance(std::uint64_t steps) {
  done_.fetch_add(steps, std::memory_order_relaxed);
  if (!display_.sink) return;
  const TimePoint now = display_.now();
  if (now.time_since_epoch().count() < next_draw_.load(std::memory_order_relaxed)) return;
  // If another thread is drawing, this one does not wait for it.
  const std::unique_lock drawing(drawing_, std::try_to_lock);
  if (drawing.owns_lock() && now.time_since_epoch().count() >= next_draw_.load(std::memory_order_relaxed)) draw(now);
}

void Progress::skip(std::uint64_t steps) {
  skipped_.fetch_add(steps, std::memory_order_relaxed);
  advance(steps);
}

void Progress::note(std::string text) {
  if (!display_.sink) return;
  const std::lock_guard noting(noting_);
  note_ = std::move(text);
}

std::string Progress::noted() {
  const std::lock_guard noting(noting_);
  return note_.empty() ? std::string() : "  " + note_;
}

void Progress::finish() {
  const std::lock_guard drawing(drawing_);
  if (finished_ || !display_.sink) return;
  finished_ = true;
  if (display_.ending == ProgressDisplay::Ending::keep) {
    draw(display_.now());
    display_.sink("\n");
  } else if (drawn_) {
    display_.sink("\r\x1b[K");
  }
}

void Progress::draw(TimePoint now) {
  next_draw_.store((now + kDrawingInterval).time_since_epoch().count(), std::memory_order_relaxed);
  drawn_ = true;
  // The last column stays free: some terminals wrap as soon as it is written.
  display_.sink("\r" + shortened(line(now) + noted(), std::max(display_.columns - 1, 1)) + "\x1b[K");
}

std::string Progress::line(TimePoint now) const {
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::uint64_t skipped = std::min(done, skipped_.load(std::memory_order_relaxed));
  const double rate = seconds > 0 ? static_cast<double>(done - skipped) / seconds : 0;
  const std::string speed = short_count(rate) + "/s";
  if (total_ == 0) return fmt::format("{}  {}  {}", label_, short_count(static_cast<double>(done)), speed);
  const double share = std::min(static_cast<double>(done) / static_cast<double>(total_), 1.0);
  std::string text = fmt::format("{} {:3.0f} %  {}/{}  {}", label_, std::floor(share * 100),
                                 short_count(static_cast<double>(done)), short_count(static_cast<double>(total_)), speed);
  if (done >= total_) return text + "  in " + short_duration(std::chrono::seconds(std::llround(seconds)));
  const double seconds_left = rate > 0 ? static_cast<double>(total_ - done) / rate : 0;
  constexpr double longest_shown = 360'000;
  if (seconds_left > 0 && seconds_left < longest_shown)
    text += "  " + short_duration(std::chrono::seconds(std::llround(std::ceil(seconds_left)))) + " left";
  return text;
}

void PhasedProgress::show(std::string_view label, std::uint64_t done, std::uint64_t total, const std::string& note) {
  throw_if_interrupted();
  const std::lock_guard showing(showing_);
  if (!line_ || label != label_) {
    line_.reset();
    line_.emplace(std::string(label), total);
    label_ = label;
    shown_ = 0;
  }
  line_->note(note);
  if (done <= shown_) return;
  line_->advance(done - shown_);
  shown_ = done;
}

std::string short_count(double count) {
  if (count < 999.5) return fmt::format("{:.0f}", count);
  constexpr std::string_view units = "kMGT";
  std::size_t unit = 0;
  count /= 1000;
  while (count >= 999.5 && unit + 1 < units.size()) {
    count /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f}{}", count, count < 99.95 ? 1 : 0, units[unit]);
}

std::string short_duration(std::chrono::seconds duration) {
  const auto seconds = duration.count();
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace inkling
