#include "tests/cli/run_program.hpp"

#include <array>
#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inkling::test {

constinit const char* const kInklingProgram = INKLING_PROGRAM;
constinit const char* const kInklingBenchProgram = INKLING_BENCH_PROGRAM;

namespace {

// The reading end of a pipe whose other end the program writes to.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
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

  // Appends the bytes that can be read now; false at the end of the stream.
  [[nodiscard]] bool read_some(std::string& text) const {
    std::array<char, 4096> bytes = {};
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

std::string_view variable_name(std::string_view assignment) { return assignment.substr(0, assignment.find('=')); }

// The environment of this process with the variables in `added` set or replaced.
std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  std::vector<std::string> all = added;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool replaced = false;
    for (const std::string& other : added) replaced = replaced || variable_name(other) == variable_name(*entry);
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

pid_t start(const std::string& program, std::vector<std::string> args, std::vector<std::string> environment, int out, int err) {
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&streams, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, err, STDERR_FILENO);
  args.insert(args.begin(), program);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &streams, nullptr, pointers_to(args).data(), pointers_to(environment).data());
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) throw std::runtime_error("cannot start " + program);
  return child;
}

// Reads both streams at once, so that a program that fills one of them does not wait for ever.
void read_both(const Pipe& out, const Pipe& err, ProgramResult& result) {
  std::array<pollfd, 2> waiting = {{{out.reading_end(), POLLIN, 0}, {err.reading_end(), POLLIN, 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[0].revents != 0 && !out.read_some(result.out)) waiting[0].fd = -1;
    if (waiting[1].revents != 0 && !err.read_some(result.err)) waiting[1].fd = -1;
  }
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

ProgramResult run_program(const std::string& program, const std::vector<std::string>& args,
                          const std::vector<std::string>& environment) {
  Pipe out;
  Pipe err;
  const pid_t child = start(program, args, environment_with(environment), out.writing_end(), err.writing_end());
  out.close_writing_end();
  err.close_writing_end();
  ProgramResult result;
  read_both(out, err, result);
  result.exit_code = exit_code_of(child);
  return result;
}

ProgramResult run_program_into(const std::string& output, const std::string& program, const std::vector<std::string>& args) {
  const int out = ::open(output.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) throw std::runtime_error("cannot open " + output);
  Pipe err;
  const pid_t child = start(program, args, environment_with({}), out, err.writing_end());
  ::close(out);
  err.close_writing_end();
  ProgramResult result;
  while (err.read_some(result.err)) continue;
  result.exit_code = exit_code_of(child);
  return result;
}

}  // namespace inkling::test
