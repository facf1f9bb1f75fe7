// A mapped file that is cut ends the program with its name; other faults of memory end it as usual.
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/base/file/mapped_file.hpp"
#include "io/base/file/output_file.hpp"
#include "io/doors/cli/command_line.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

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
