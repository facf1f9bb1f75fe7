#include "io/base/process/thread_limit.hpp"

#include <functional>

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/errors.hpp"

namespace inkling {
namespace {

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
