#include "io/cli/interruption.hpp"

#include <array>
#include <csignal>
#include <functional>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inkling {
namespace {

// In a process of its own, because what a signal asked cannot be taken back; whether `holds` held there.
bool in_a_process(const std::function<bool()>& holds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    install_interruption_handler();
    ::_exit(holds() ? 42 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

bool throws_interrupted(const std::function<void()>& body) {
  try {
    body();
  } catch (const InterruptedError&) {
    return true;
  }
  return false;
}

TEST_CASE("Ctrl-C, SIGTERM and SIGHUP ask the program to end") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    INFO(signal);
    CHECK(in_a_process([signal] {
      if (interrupted() || throws_interrupted(throw_if_interrupted)) return false;
      std::raise(signal);
      return interrupting_signal() == signal && throws_interrupted(throw_if_interrupted);
    }));
  }
}

TEST_CASE("a SIGHUP that was ignored stays ignored") {
  CHECK(in_a_process([] {
    std::signal(SIGHUP, SIG_IGN);
    install_interruption_handler();
    std::raise(SIGHUP);
    return !interrupted();
  }));
}

TEST_CASE("who waits for input ends when a signal comes, before it waits and while it does") {
  CHECK(in_a_process([] {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return false;
    [[maybe_unused]] const ssize_t one = ::write(ends[1], "x", 1);
    await_input(ends[0]);
    char byte = 0;
    if (::read(ends[0], &byte, 1) != 1) return false;
    const pid_t parent = ::getpid();
    if (::fork() == 0) {
      ::usleep(20'000);
      ::kill(parent, SIGTERM);
      ::_exit(0);
    }
    const auto wait = [&] { await_input(ends[0]); };
    return throws_interrupted(wait) && throws_interrupted(wait);
  }));
}

}  // namespace
}  // namespace inkling
