#include "bench/report/child_process.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

const std::function<void()> kGoOn = [] {};

TEST_CASE("the output and exit code of a child are returned and its arguments are passed unchanged") {
  const ChildResult result =
      run_child({"sh", "-c", "echo \"$1\"; echo $GIVEN >&2; exit 7", "sh", "a b  *"}, {"GIVEN=there"}, kGoOn);
  CHECK(result.exit_code == 7);
  CHECK(result.out == "a b  *\n");
  CHECK(result.err == "there\n");
}

TEST_CASE("a child is read to its end or ended by an interruption; a missing one and one ended by a signal are told apart") {
  const ChildResult result = run_child({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}, {}, kGoOn);
  CHECK(result.exit_code == 0);
  CHECK(result.out.size() == 300'000);
  CHECK(result.err.size() == 300'000);

  const std::function<void()> stop = [] { throw std::runtime_error("stop"); };
  CHECK_THROWS_WITH(static_cast<void>(run_child({"sleep", "1000"}, {}, stop)), "stop");

  CHECK_THROWS_AS(static_cast<void>(run_child({"no-such-program-anywhere"}, {}, kGoOn)), SystemError);
  CHECK(run_child({"sh", "-c", "kill -9 $$"}, {}, kGoOn).exit_code == 137);
}

TEST_CASE("a failure is reported with the last line of standard error") {
  CHECK(last_line("one\ntwo\n\n") == "two");
  CHECK(last_line("one") == "one");
  CHECK(last_line("").empty());
  CHECK(failure_of("peer.py", {3, "out", "Traceback\nno such module\n"}) == "peer.py ended with 3: 'no such module'");
}

}  // namespace
}  // namespace inkling::bench
