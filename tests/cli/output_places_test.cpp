// What every command with an output does if a device, a pipe, a link or a folder has the output's path.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

namespace fs = std::filesystem;

// Inputs of commands, and a device, a pipe, a link and a folder, which no output may replace.
struct Places {
  Places() {
    write(folder.file("events.jsonl"), "{\"document\": 3, \"reward\": 1}\n");
    run({"build", kTinyCorpus, "--out", pool});
    run({"search", pool, "--searches", log, "--import", events});
    run({"parts", "plan", kTinyCorpus, "--parts", "1", "--out", plan});
    run({"parts", "count", plan, "--part", "0", "--out", counts});
    run({"parts", "build", plan, "--part", "0", "--counts", counts, "--out", shard});
    run({"parts", "join", shard, "--out", set});
    run({"parts", "learn", set, "--events", events, "--out", model});
    run({"parts", "score", shard, "--model", model, "--set", set, "--out", scores});
    // A device like /dev/null, which only root may make.
    has_device = ::mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0;
    if (!has_device) MESSAGE("skipped: outputs into a device, which only root can make");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    write(target, "");
    fs::create_symlink(target, link);
    fs::create_directory(other);
  }

  static void run(const Args& args) { succeeded(inkling(args)); }

  // The number of bytes that a command writes into the pipe; -1 if it is refused.
  [[nodiscard]] long through_pipe(const Args& command) const {
    const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader >= 0);
    REQUIRE(::fcntl(reader, F_SETPIPE_SZ, 1 << 20) > 0);
    const bool taken = inkling(command + Args{pipe}).exit_code == 0;
    long bytes = 0;
    std::array<char, 4096> part = {};
    for (ssize_t count = 0; (count = ::read(reader, part.data(), part.size())) > 0;) bytes += count;
    ::close(reader);
    return taken ? bytes : -1;
  }

  [[nodiscard]] bool are_what_they_were() const {
    return (!has_device || fs::is_character_file(device)) && fs::is_fifo(pipe) && fs::is_symlink(link) &&
           fs::is_regular_file(target) && fs::is_directory(other);
  }

  TemporaryFolder folder;
  std::string events = folder.file("events.jsonl");
  std::string pool = folder.file("pool");
  std::string log = folder.file("log");
  std::string plan = folder.file("plan");
  std::string counts = folder.file("counts");
  std::string shard = folder.file("shard");
  std::string set = folder.file("set");
  std::string model = folder.file("model");
  std::string scores = folder.file("scores");
  std::string device = folder.file("device");
  std::string pipe = folder.file("pipe");
  std::string link = folder.file("link.jsonl");
  std::string target = folder.file("target");
  std::string other = folder.file("folder");
  bool has_device = false;
};

TEST_CASE("a file is written into a device or a pipe or through a link and never over a folder") {
  const Places at;
  const std::vector<Args> commands = {{"score", at.pool, "--events", at.events, "--out"},
                                      {"search", at.pool, "--searches", at.log, "--out"},
                                      {"sessions", at.log, "--write", "ratings", "--out"},
                                      {"sessions", at.log, "--write", "events", "--out"},
                                      {"sessions", at.log, "--backup"},
                                      {"export", at.pool, "--to", "svmlight", "--out"},
                                      {"export", at.pool, "--to", "mtx", "--out"},
                                      {"export", at.pool, "--to", "npz", "--out"},
                                      {"export", at.pool, "--to", "words", "--out"},
                                      {"parts", "merge-scores", at.scores, "--out"}};
  for (const Args& command : commands) {
    CAPTURE(command[0]);
    CAPTURE(command[command.size() - 2]);
    if (at.has_device) CHECK(inkling(command + Args{at.device}).exit_code == 0);
    CHECK(at.through_pipe(command) > 0);
    write(at.target, "");
    CHECK(inkling(command + Args{at.link}).exit_code == 0);
    CHECK(fs::file_size(at.target) > 0);
    CHECK(inkling(command + Args{at.other}).exit_code != 0);
    CHECK(fs::is_empty(at.other));
    CHECK(at.are_what_they_were());
  }
}

TEST_CASE("steps, pools and files of searches are never written over a device, a pipe or the target of a link") {
  const Places at;
  const std::vector<Args> commands = {{"build", kTinyCorpus, "--out"},
                                      {"build", kTinyCorpus, "--force", "--out"},
                                      {"score", at.pool, "--events", at.events, "--split", "--out"},
                                      {"parts", "plan", kTinyCorpus, "--out"},
                                      {"parts", "count", at.plan, "--part", "0", "--out"},
                                      {"parts", "merge", at.counts, "--out"},
                                      {"parts", "build", at.plan, "--part", "0", "--counts", at.counts, "--out"},
                                      {"parts", "join", at.shard, "--out"},
                                      {"parts", "learn", at.set, "--events", at.events, "--out"},
                                      {"parts", "score", at.shard, "--model", at.model, "--set", at.set, "--out"},
                                      {"help", "--man", "--out"}};
  for (const Args& command : commands) {
    CAPTURE(command[0]);
    CAPTURE(command[1]);
    if (at.has_device) CHECK(inkling(command + Args{at.device}).exit_code != 0);
    CHECK(at.through_pipe(command) == -1);
    write(at.target, "other");
    CHECK(inkling(command + Args{at.link}).exit_code != 0);
    CHECK(text_of(at.target) == "other");
    CHECK(at.are_what_they_were());
  }

  for (const std::string& place : {at.device, at.pipe, at.other}) {
    if (place == at.device && !at.has_device) continue;
    CAPTURE(place);
    CHECK(inkling({"search", at.pool, "--searches", place, "--import", at.events}).exit_code != 0);
  }
  CHECK(at.are_what_they_were());
}

}  // namespace
}  // namespace inkling::test
