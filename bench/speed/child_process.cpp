#include "bench/speed/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/cli/usage_error.hpp"

namespace inkling::bench {
namespace {

/// A pipe that the child writes into.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw SystemError("pipe", errno, "cannot make one");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  Pipe(Pipe&&) = delete;
  Pipe& operator=(Pipe&&) = delete;

  [[nodiscard]] int reading_end() const { return ends_[0]; }
  [[nodiscard]] int writing_end() const { return ends_[1]; }
  void close_writing_end() { close_end(1); }

  /// Appends what is there; false at the end of the stream.
  [[nodiscard]] bool read_some(std::string& text) const {
    std::array<char, 65536> bytes = {};
    const ssize_t count = ::read(reading_end(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }

 private:
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) ::close(std::exchange(ends_[end], -1));
  }

  std::array<int, 2> ends_ = {-1, -1};
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  const auto name_of = [](std::string_view assignment) { return assignment.substr(0, assignment.find('=')); };
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool replaced = false;
    for (const std::string& other : added) replaced = replaced || name_of(other) == name_of(*entry);
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

/// A running child, ended with its object where it has not been waited for.
class Child {
 public:
  Child(std::vector<std::string> arguments, std::vector<std::string> environment, int out, int err) {
    posix_spawn_file_actions_t streams;
    ::posix_spawn_file_actions_init(&streams);
    ::posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&streams, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&streams, err, STDERR_FILENO);
    const int error = ::posix_spawnp(&process_, arguments.front().c_str(), &streams, nullptr,
                                     pointers_to(arguments).data(), pointers_to(environment).data());
    ::posix_spawn_file_actions_destroy(&streams);
    if (error != 0) throw SystemError(arguments.front(), error, "cannot run");
  }
  ~Child() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    static_cast<void>(wait());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;

  /// Its exit code. Requires: called once.
  [[nodiscard]] int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  pid_t process_ = 0;
};

}  // namespace

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

std::string failure_of(std::string_view name, const ChildResult& result) {
  return fmt::format("{} ended with {}: {}", name, result.exit_code, in_quotes(last_line(result.err)));
}

ChildResult run_child(std::vector<std::string> arguments, const std::vector<std::string>& environment,
                      const std::function<void()>& check_interruption) {
  constexpr int milliseconds = 100;
  Pipe out;
  Pipe err;
  Child child(std::move(arguments), environment_with(environment), out.writing_end(), err.writing_end());
  out.close_writing_end();
  err.close_writing_end();
  ChildResult result;
  std::array<pollfd, 2> waiting = {{{out.reading_end(), POLLIN, 0}, {err.reading_end(), POLLIN, 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    check_interruption();
    if (::poll(waiting.data(), waiting.size(), milliseconds) <= 0) continue;
    if (waiting[0].revents != 0 && !out.read_some(result.out)) waiting[0].fd = -1;
    if (waiting[1].revents != 0 && !err.read_some(result.err)) waiting[1].fd = -1;
  }
  result.exit_code = child.wait();
  return result;
}

}  // namespace inkling::bench
