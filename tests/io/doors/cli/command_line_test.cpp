#include "io/doors/cli/command_line.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/file/output_file.hpp"
#include "io/base/system/interruption.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// The exit code of a program whose only command runs this body.
int exit_code_of(const std::function<void()>& body) {
  const Program program = {
      .name = "test-program",
      .purpose = "Ends in all ways.",
      .version = "0",
      .groups = {{.task = "End", .commands = {{.name = "end", .purpose = "Ends.", .run = [body](std::span<const std::string>) {
                                                 body();
                                                 return ExitCode::ok;
                                               }}}}}};
  const char* const argv[] = {"test-program", "end", nullptr};
  return run_program(program, 2, argv);
}

TEST_CASE("each kind of failure has its own exit code") {
  CHECK(exit_code_of([] {}) == 0);
  CHECK(exit_code_of([] { throw std::runtime_error("a mistake"); }) == 1);
  CHECK(exit_code_of([] { throw NumericalError("not positive definite"); }) == 1);
  CHECK(exit_code_of([] { throw UsageError::option("rounds", "expected more"); }) == 2);
  CHECK(exit_code_of([] { throw FormatError("file:1:2", "a number"); }) == 3);
  CHECK(exit_code_of([] { throw SystemError("file", ENOSPC, "cannot write"); }) == 4);
  CHECK(exit_code_of([] { throw std::bad_alloc(); }) == 4);
  CHECK(exit_code_of([] { throw InterruptedError(); }) == 130);
  CHECK(exit_code_of([] { throw std::runtime_error("pthread_create: no more"); }) == 4);
  CHECK(exit_code_of([] { throw std::system_error(EIO, std::generic_category()); }) == 4);
}

TEST_CASE("a program without a command gives its own answer and one that has none reports wrong usage") {
  Program program = {.name = "test-program", .purpose = "Answers.", .version = "0", .groups = {}};
  const char* const argv[] = {"test-program", "--anything", nullptr};
  CHECK(run_program(program, 2, argv) == 2);
  program.otherwise = [](const Program& asked, std::span<const std::string> args) {
    CHECK(asked.name == "test-program");
    REQUIRE(args.size() == 1);
    CHECK(args[0] == "--anything");
    return 7;
  };
  CHECK(run_program(program, 2, argv) == 7);
}

TEST_CASE("a command has the name in its option table and gets the parsed values") {
  std::int64_t seen = 0;
  const Command command =
      command_of(OptionTable({.command = "inkling-bench simulate",
                              .purpose = "Simulates.",
                              .example = "inkling-bench simulate",
                              .groups = {{.heading = "Run", .options = {{.name = "rounds", .kind = Integer{1, 9}}}}}}),
                 [&](const ParsedOptions& options) {
                   seen = options.integer("rounds");
                   return 7;
                 });
  CHECK(command.name == "simulate");
  CHECK(command.purpose == "Simulates.");
  CHECK(command.run(std::vector<std::string>{"--rounds", "3"}) == 7);
  CHECK(seen == 3);
  CHECK_THROWS_AS(command.run(std::vector<std::string>{"--rounds", "10"}), UsageError);
}

struct ChildEnd {
  int status = 0;
  std::string complaint;
};

// Runs a function in a child process. Returns how that ended and what it wrote to standard error.
ChildEnd end_of(const std::function<void()>& run) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(::pipe(pipe_ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe_ends[1], STDERR_FILENO);
    std::signal(SIGBUS, SIG_DFL);
    install_mapping_guard("inkling score");
    run();
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  ChildEnd end;
  std::array<char, 256> piece{};
  for (ssize_t got = 0; (got = ::read(pipe_ends[0], piece.data(), piece.size())) > 0;)
    end.complaint.append(piece.data(), static_cast<std::size_t>(got));
  ::close(pipe_ends[0]);
  ::waitpid(child, &end.status, 0);
  return end;
}

TEST_CASE_FIXTURE(test::InFolder, "a mapped file that becomes shorter during a scan ends the program with its name") {
  const std::string path = folder.file("data.npy");
  write_file(path, std::string(1'000'000, 'x'));
  const ChildEnd end = end_of([&] {
    const MappedFile file(path);
    std::filesystem::resize_file(path, 1000);
    [[maybe_unused]] volatile std::byte touched = file.bytes()[900'000];
  });
  CHECK(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == ExitCode::corrupt_file);
  CHECK(end.complaint == "inkling score: " + path + ": became shorter while it was being read\n");
}

TEST_CASE_FIXTURE(test::InFolder, "a cut file that a library has mapped ends the program with its name too") {
  const std::string path = folder.file("P.search-shm");
  write_file(path, std::string(32'768, 'x'));
  const ChildEnd end = end_of([&] {
    const int file = ::open(path.c_str(), O_RDWR);
    auto* const shared = static_cast<volatile char*>(::mmap(nullptr, 32'768, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    ::close(file);
    std::filesystem::resize_file(path, 0);
    shared[96] = 'y';
  });
  CHECK(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == ExitCode::corrupt_file);
  CHECK(end.complaint == "inkling score: " + path + ": became shorter while it was being read\n");
}

TEST_CASE_FIXTURE(test::InFolder, "a file that is deleted or replaced during a scan is read to its end") {
  const std::string path = folder.file("data.npy");
  write_file(path, std::string(1'000'000, 'x'));
  const ChildEnd end = end_of([&] {
    const MappedFile file(path);
    write_file(path, "replaced");
    std::filesystem::remove(path);
    std::size_t right = 0;
    for (const std::byte byte : file.bytes()) right += byte == std::byte{'x'} ? 1 : 0;
    ::_exit(right == 1'000'000 ? 42 : 1);
  });
  CHECK(WIFEXITED(end.status));
  CHECK(WEXITSTATUS(end.status) == 42);
}

TEST_CASE("a bus error outside mapped files ends the process as usual") {
  const ChildEnd end = end_of([] { std::raise(SIGBUS); });
  CHECK(WIFSIGNALED(end.status));
  CHECK(WTERMSIG(end.status) == SIGBUS);
  CHECK(end.complaint.empty());
}

}  // namespace
}  // namespace inkling
