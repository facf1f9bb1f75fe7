// The programs with faults: limits, closed descriptors, signals, and outputs that would destroy inputs.
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

// `inkling ARGS` after a line of shell, such as "ulimit -f 1".
ProgramResult inkling_after(const std::string& line, const Args& args) {
  return run_program("/bin/sh", Args{"-c", line + "\nexec \"$0\" \"$@\"", kInklingProgram} + args);
}

// `inkling ARGS` with a shell's redirection, such as "2>&-".
ProgramResult inkling_into(const std::string& redirection, const Args& args) {
  return run_program("/bin/sh", Args{"-c", "\"$0\" \"$@\" " + redirection, kInklingProgram} + args);
}

std::string small_pool_in(const TemporaryFolder& folder) {
  REQUIRE(inkling({"build", kTinyCorpus, "--out", folder.file("small")}).exit_code == 0);
  return folder.file("small");
}

std::string some_events(const std::string& path) {
  return write(path, "{\"document\": 0, \"reward\": 1, \"features\": [\"soil\"]}\n");
}

std::ptrdiff_t partials(const TemporaryFolder& folder) {
  std::ptrdiff_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    count += holds(entry.path().string(), ".partial-") ? 1 : 0;
  return count;
}

TEST_CASE_FIXTURE(InFolder, "a pool within its source, and a source within its pool, are refused") {
  fs::create_directories(folder.file("source/a"));
  write(folder.file("source/a/1.txt"), "one text");
  const ProgramResult within = inkling({"build", folder.file("source"), "--format", "dir", "--out", folder.file("source/pool")});
  CHECK(within.exit_code == 2);
  CHECK(holds(within.err, "lies in the source"));
  CHECK_FALSE(fs::exists(folder.file("source/pool")));
  const ProgramResult around =
      inkling({"build", folder.file("source/a/1.txt"), "--format", "lines", "--out", folder.file("source")});
  CHECK(around.exit_code == 2);
  CHECK(text_of(folder.file("source/a/1.txt")) == "one text");
}

TEST_CASE_FIXTURE(InFolder, "a limit on the size of files is an error with the path and the limit, and nothing is left") {
  const std::string pool = small_pool_in(folder);
  const std::string events = some_events(folder.file("e.jsonl"));
  const std::vector<Args> runs = {
      {"build", kTinyCorpus, "--out", folder.file("P")},
      {"score", pool, "--events", events, "--all", "--out", folder.file("P")},
      {"export", pool, "--to", "npz", "--out", folder.file("P")},
  };
  for (const Args& args : runs) {
    CAPTURE(args.front());
    const ProgramResult result = inkling_after("ulimit -f 1", args);
    CHECK(result.exit_code == 4);
    check_holds(result.err, {folder.file("P"), "ulimit -f"});
    CHECK_FALSE(fs::exists(folder.file("P")));
    CHECK(partials(folder) == 0);
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer needs memory and descriptors for itself
TEST_CASE_FIXTURE(InFolder, "threads that the system refuses are an error if they were asked for and otherwise fewer are used") {
  const std::string pool = small_pool_in(folder);
  const std::string events = some_events(folder.file("e.jsonl"));
  const std::string little_memory = "ulimit -v 2000000";  // in KiB: not enough for the stacks of 1024 threads
  const std::vector<Args> runs = {
      {"build", kTinyCorpus, "--memory", "300G", "--out", folder.file("P")},
      {"score", pool, "--events", events, "--out", folder.file("P")},
      {"verify", pool},
  };
  for (const Args& args : runs) {
    CAPTURE(args.front());
    const ProgramResult asked = inkling_after(little_memory, args + Args{"--threads", "1024"});
    CHECK(asked.exit_code == 4);
    CHECK(holds(asked.err, "--threads 1024: this process can have "));
    CHECK_FALSE(fs::exists(folder.file("P")));
    CHECK(inkling_after(little_memory, args).exit_code == 0);
    fs::remove_all(folder.file("P"));
    CHECK(partials(folder) == 0);
  }
}

// Checks that the command failed, names the limit to raise, and left no files.
void check_limit(const TemporaryFolder& folder, const ProgramResult& result) {
  CHECK(result.exit_code == 4);
  CHECK(result.err.starts_with("inkling"));
  CHECK(holds(result.err, "ulimit"));
  CHECK_FALSE(fs::exists(folder.file("P")));
  CHECK(partials(folder) == 0);
}

TEST_CASE_FIXTURE(InFolder, "too few descriptors are an error, and nothing is left") {
  const std::string without_inherited = "exec 3>&- 4>&- 5>&- 6>&- 7>&-; ";
  for (const char* limit : {"ulimit -n 5", "ulimit -n 8"}) {
    CAPTURE(std::string(limit));
    check_limit(folder,
                inkling_after(without_inherited + limit, {"build", kTinyCorpus, "--threads", "1", "--out", folder.file("P")}));
  }
}

TEST_CASE_FIXTURE(InFolder, "too little memory is an error at every limit, and nothing is left") {
  constexpr int most = 200'000;  // KiB, enough for this build
  for (int limit = 20'000; limit <= most; limit += 4'000) {
    CAPTURE(limit);
    const ProgramResult result =
        inkling_after("ulimit -v " + std::to_string(limit), {"build", kTinyCorpus, "--threads", "2", "--out", folder.file("P")});
    if (result.exit_code == 0) break;
    if (result.exit_code == 127) continue;  // the system could not load the program
    check_limit(folder, result);
  }
  CHECK(fs::exists(folder.file("P")));
}
#endif

TEST_CASE_FIXTURE(InFolder, "a closed or full standard error changes no exit code and no file gets its messages") {
  const std::string pool = folder.file("P");
  const Args build = {"build", kTinyCorpus, "--out", pool};
  CHECK(inkling(build).exit_code == 0);
  for (const char* redirection : {"2>&-", "2>/dev/full", "<&- >&- 2>&-", "2>&- <&-"}) {
    CAPTURE(redirection);
    fs::remove_all(pool);
    CHECK(inkling_into(redirection, build).exit_code == 0);
    CHECK(inkling({"verify", pool}).exit_code == 0);
  }
  const std::string events = some_events(folder.file("e.jsonl"));
  CHECK(inkling_into("2>&-", {"score", pool, "--events", events, "--out", folder.file("s")}).exit_code == 0);
  CHECK_FALSE(text_of(folder.file("s")).empty());
}

TEST_CASE_FIXTURE(InFolder, "a pool whose summary cannot be printed is kept and the exit code reports the error") {
  const ProgramResult result = succeeded(inkling_into(">/dev/full", {"build", kTinyCorpus, "--json", "--out", folder.file("P")}));
  CHECK(holds(result.err, "the pool is complete, but its summary could not be shown"));
  CHECK(inkling({"verify", folder.file("P")}).exit_code == 0);
}

TEST_CASE_FIXTURE(InFolder, "requested output that cannot be written is an error") {
  const std::string pool = small_pool_in(folder);
  const std::string events = some_events(folder.file("e.jsonl"));
  const ProgramResult closed = inkling_into(">&-", {"score", pool, "--events", events});
  CHECK(closed.exit_code == 4);
  CHECK(holds(closed.err, "inkling score: standard output: it is closed\n"));
  CHECK(inkling_into(">&-", {"export", pool, "--to", "mtx", "--out", "/dev/stdout"}).exit_code == 4);
  CHECK(inkling_into("<&-", {"build", "/dev/stdin", "--format", "lines", "--out", folder.file("Q")}).exit_code == 4);
}

TEST_CASE_FIXTURE(InFolder, "an error about a target whose path cannot be followed names the target") {
  const std::string longest(300, 'x');
  fs::create_symlink("loop", folder.file("loop"));
  for (const std::string& target : {folder.file(longest), folder.file("loop/P")}) {
    const ProgramResult result = inkling({"build", kTinyCorpus, "--out", target});
    CHECK(result.exit_code == 4);
    CHECK(result.err.starts_with("inkling build: " + folder.path().string()));
  }
}

// A program that waits for input until a signal ends it.
struct WaitingProgram {
  pid_t child = 0;
  int input = -1;  // the writing end of its standard input

  WaitingProgram(const WaitingProgram&) = delete;
  WaitingProgram& operator=(const WaitingProgram&) = delete;
  explicit WaitingProgram(Args args) {
    std::array<int, 2> ends{};
    REQUIRE(pipe2(ends.data(), O_CLOEXEC) == 0);
    input = ends[1];
    args.insert(args.begin(), kInklingProgram);
    std::vector<char*> pointers;
    for (std::string& arg : args) pointers.push_back(arg.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&streams, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    REQUIRE(posix_spawn(&child, kInklingProgram, &streams, nullptr, pointers.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&streams);
    ::close(ends[0]);
  }
  ~WaitingProgram() { ::close(input); }

  [[nodiscard]] int exit_code_after(int signal) const {
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
};

TEST_CASE("a build that waits for its input ends at the first signal and leaves nothing") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    CAPTURE(signal);
    const TemporaryFolder folder;
    const WaitingProgram program({"build", "/dev/stdin", "--format", "lines", "--out", folder.file("P")});
    REQUIRE(::write(program.input, "one line\n", 9) == 9);
    for (int look = 0; look < 500 && partials(folder) == 0; ++look) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(program.exit_code_after(signal) == 128 + signal);
    CHECK(folder.entries() == 0);
  }
}

}  // namespace
}  // namespace inkling::test
