#include "io/base/file/cut_files.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/mapped_file.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

// The status of a child process, so that its signal handlers do not change this one's.
template <typename Work>
int status_of(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGBUS, SIG_DFL);
    ::_exit(work());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

std::string named_as_cut() {
  try {
    check_cut_files();
  } catch (const CorruptFileError& error) {
    return error.where();
  }
  return {};
}

TEST_CASE_FIXTURE(test::InFolder, "the missing end of a mapped file reads as zeros and the file is named until it is unmapped") {
  const std::string path = folder.file("data.npy");
  write_file(path, std::string(100'000, 'x'));
  write_file(folder.file("whole"), std::string(100'000, 'y'));
  const int status = status_of([&] {
    outlive_cut_files();
    std::optional<MappedFile> cut(path);
    const MappedFile whole(folder.file("whole"));
    std::filesystem::resize_file(path, 10'000);
    if (!named_as_cut().empty()) return 1;  // nothing missing was read yet
    if (cut->bytes()[50'000] != std::byte{0} || cut->bytes()[99'999] != std::byte{0}) return 2;
    if (cut->bytes()[20'000] != std::byte{0} || cut->bytes()[5'000] != std::byte{'x'}) return 3;
    if (named_as_cut() != path || named_as_cut() != path) return 4;
    if (std::ranges::count(whole.bytes(), std::byte{'y'}) != 100'000) return 5;
    cut.reset();
    return named_as_cut().empty() ? 42 : 6;
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
}

TEST_CASE("a bus error outside mapped files still ends a process that outlives cut files") {
  const int status = status_of([] {
    outlive_cut_files();
    std::raise(SIGBUS);
    return 0;
  });
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGBUS);
}

}  // namespace
}  // namespace inkling
