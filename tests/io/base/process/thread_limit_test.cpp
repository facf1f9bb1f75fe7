#include "io/base/process/thread_limit.hpp"

#include <functional>

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

TEST_CASE("a cpu.max quota counts as whole threads, rounded up") {
  CHECK(threads_of_cpu_max("200000 100000\n") == 2);
  CHECK(threads_of_cpu_max("150000 100000\n") == 2);
  CHECK(threads_of_cpu_max("1000 100000\n") == 1);
  CHECK(threads_of_cpu_max("9223372036854775807 1\n") == 2147483647);
}

TEST_CASE("a text without a limit or that is malformed gives no quota") {
  for (const char* const text : {"max 100000\n", "", "\n", "100000", "0 100000", "-1 100000", "100000 0",
                                 "a b", "1 2 3", "99999999999999999999 1"}) {
    CHECK_FALSE(threads_of_cpu_max(text));
  }
}

TEST_CASE("the two files of a version 1 quota give threads in the same way") {
  CHECK(threads_of_cfs("250000\n", "100000\n") == 3);
  CHECK_FALSE(threads_of_cfs("-1\n", "100000\n"));
  CHECK_FALSE(threads_of_cfs("", ""));
}

TEST_CASE("the process's own group is found in the lines of its cgroup file") {
  const char* const text = "12:cpuset:/a\n4:cpu,cpuacct:/b/c\n1:name=systemd:/d\n0::/e:f\n";
  CHECK(cgroup_path(text, "cpu") == "/b/c");
  CHECK(cgroup_path(text, "cpuacct") == "/b/c");
  CHECK(cgroup_path(text, "") == "/e:f");
  CHECK_FALSE(cgroup_path(text, "memory"));
  CHECK_FALSE(cgroup_path("no colons here", ""));
}

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer itself needs more memory than the limit
// The exit code of a child whose limit on memory is too low for the stacks of many threads.
int exit_code_with_little_memory(const std::function<int()>& run) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr rlim_t some_stacks = rlim_t{1} << 30U;
    const rlimit limit = {some_stacks, some_stacks};
    ::setrlimit(RLIMIT_AS, &limit);
    ::_exit(run());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

TEST_CASE("threads that the system refuses are an error that says how many there are") {
  CHECK(exit_code_with_little_memory([] { return startable_threads(1024) < 1024 ? 42 : 1; }) == 42);
  CHECK(exit_code_with_little_memory([] {
          try {
            const ThreadLimit limit(1024);
          } catch (const SystemError& error) {
            return std::string(error.what()).starts_with("--threads 1024: this process can have ") ? 42 : 2;
          }
          return 1;
        }) == 42);
}

#endif

TEST_CASE("threads that were started to count them are gone afterwards") {
  CHECK(startable_threads(8) == 8);
  CHECK(startable_threads(8) == 8);
  CHECK(startable_threads(1) == 1);
}

TEST_CASE("there is always at least one thread") { CHECK(available_threads() >= 1); }

}  // namespace
}  // namespace inkling
