#include "io/doors/cli/interruption.hpp"

#include <array>
#include <csignal>
#include <functional>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/base/file/partial_folder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// Runs `holds` in a child process, because a signal cannot be taken back. The exit code is 42 if it returned true.
int code_of_process(const std::function<bool()>& holds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    install_interruption_handler();
    ::_exit(holds() ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool holds_in_a_process(const std::function<bool()>& holds) { return code_of_process(holds) == 42; }

bool throws_interrupted(const std::function<void()>& body) {
  try {
    body();
  } catch (const InterruptedError&) {
    return true;
  }
  return false;
}

TEST_CASE_FIXTURE(test::InFolder, "Ctrl-C, SIGTERM and SIGHUP ask a program that writes to end") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    INFO(signal);
    CHECK(holds_in_a_process([&] {
      const PartialFolder written(folder.file("P"), "P");
      if (interrupted() || throws_interrupted(throw_if_interrupted)) return false;
      std::raise(signal);
      return interrupting_signal() == signal && throws_interrupted(throw_if_interrupted);
    }));
  }
}

TEST_CASE("SIGTERM and SIGHUP end a program that writes nothing at once, and Ctrl-C asks it") {
  const auto raises = [](int signal) { return code_of_process([signal] { return std::raise(signal) == 0 && interrupted(); }); };
  CHECK(raises(SIGTERM) == 128 + SIGTERM);
  CHECK(raises(SIGHUP) == 128 + SIGHUP);
  CHECK(raises(SIGINT) == 42);
}

TEST_CASE("a SIGHUP that was ignored stays ignored") {
  CHECK(holds_in_a_process([] {
    std::signal(SIGHUP, SIG_IGN);
    install_interruption_handler();
    std::raise(SIGHUP);
    return !interrupted();
  }));
}

TEST_CASE("a program that waits for input ends at a signal before or during the wait") {
  CHECK(holds_in_a_process([] {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return false;
    [[maybe_unused]] const ssize_t one = ::write(ends[1], "x", 1);
    const File out(ends[0]);
    await_input(out);
    char byte = 0;
    if (::read(ends[0], &byte, 1) != 1) return false;
    const pid_t parent = ::getpid();
    if (::fork() == 0) {
      ::usleep(20'000);
      ::kill(parent, SIGINT);
      ::_exit(0);
    }
    const auto wait = [&] { await_input(out); };
    return throws_interrupted(wait) && throws_interrupted(wait);
  }));
}

}  // namespace
}  // namespace inkling
