#include "io/doors/cli/progress.hpp"

#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

using std::chrono::milliseconds, std::chrono::seconds;

// A display that keeps all drawings, with a clock that the test moves.
struct FakeTerminal {
  ProgressDisplay::TimePoint time{};
  std::string shown;

  ProgressDisplay display(ProgressDisplay::Ending ending = ProgressDisplay::Ending::erase, int columns = 80) {
    return {.sink = [this](std::string_view text) { shown += text; },
            .now = [this] { return time; },
            .columns = columns,
            .ending = ending};
  }
};

struct AtFakeTerminal {
  FakeTerminal terminal;
};

TEST_CASE_FIXTURE(AtFakeTerminal, "progress shows label, share, counts, rate and time left") {
  Progress progress("ff-oful", 204'800, terminal.display());
  terminal.time += seconds(2);
  progress.advance(20'480);
  CHECK(terminal.shown == "\rff-oful  10 %  20.5k/205k  10.2k/s  0:18 left\x1b[K");
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress draws at most ten times a second, and nothing in the first tenth") {
  Progress progress("work", 1000, terminal.display());
  int drawings = 0;
  for (int step = 0; step < 1000; ++step) {
    terminal.time += milliseconds(1);
    terminal.shown.clear();
    progress.advance();
    if (!terminal.shown.empty()) ++drawings;
    if (step < 98) CHECK(drawings == 0);
  }
  CHECK(drawings == 10);
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress is erased at the end only if it was drawn") {
  {
    Progress progress("work", 10, terminal.display());
    progress.advance(5);
  }
  CHECK(terminal.shown.empty());
  {
    Progress progress("work", 10, terminal.display());
    terminal.time += seconds(1);
    progress.advance(5);
  }
  CHECK(terminal.shown.ends_with("\r\x1b[K"));
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress that is kept ends with a last drawing and one newline") {
  Progress progress("work", 10, terminal.display(ProgressDisplay::Ending::keep));
  progress.advance(10);
  terminal.time += seconds(5);
  progress.finish();
  progress.finish();
  CHECK(terminal.shown == "\rwork 100 %  10/10  2/s  in 0:05\x1b[K\n");
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress of an unknown total shows neither share nor time left") {
  Progress progress("reading", 0, terminal.display());
  terminal.time += seconds(1);
  progress.advance(1'500'000);
  CHECK(terminal.shown == "\rreading  1.5M  1.5M/s\x1b[K");
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress never fills the last column and cuts between characters") {
  Progress progress("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 10, terminal.display(ProgressDisplay::Ending::erase, 4));
  terminal.time += seconds(1);
  progress.advance();
  CHECK(terminal.shown == "\r\xC3\xA9\xC3\xA9\xC3\xA9\x1b[K");
}

TEST_CASE_FIXTURE(AtFakeTerminal, "progress counts the work of several threads and a display without a sink stays silent") {
  Progress silent("work", 10, ProgressDisplay{});
  Progress progress("work", 4000, terminal.display(ProgressDisplay::Ending::keep));
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int step = 0; step < 1000; ++step) {
          progress.advance();
          silent.advance();
        }
      });
    }
  }
  terminal.time += seconds(4);
  progress.finish();
  CHECK(terminal.shown == "\rwork 100 %  4.0k/4.0k  1.0k/s  in 0:04\x1b[K\n");
}

TEST_CASE("counts and durations are short") {
  CHECK(short_count(0) == "0");
  CHECK(short_count(999) == "999");
  CHECK(short_count(1000) == "1.0k");
  CHECK(short_count(99'949) == "99.9k");
  CHECK(short_count(999'499) == "999k");
  CHECK(short_count(999'500) == "1.0M");
  CHECK(short_duration(seconds(7)) == "0:07");
  CHECK(short_duration(seconds(754)) == "12:34");
  CHECK(short_duration(seconds(11'100)) == "3:05:00");
}

}  // namespace
}  // namespace inkling
