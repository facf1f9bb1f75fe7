#include "bench/speed/child_process.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

const std::function<void()> kNothing = [] {};

TEST_CASE("A child's output and exit code arrive and its arguments are not touched") {
  const ChildResult result = run_child({"sh", "-c", "echo \"$1\"; echo $GIVEN >&2; exit 7", "sh", "a b  *"},
                                       {"GIVEN=there"}, kNothing);
  CHECK(result.exit_code == 7);
  CHECK(result.out == "a b  *\n");
  CHECK(result.err == "there\n");
}

TEST_CASE("A child that says more than a pipe holds does not wait for ever") {
  const ChildResult result =
      run_child({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}, {}, kNothing);
  CHECK(result.exit_code == 0);
  CHECK(result.out.size() == 300'000);
  CHECK(result.err.size() == 300'000);
}

TEST_CASE("An interruption ends the child") {
  const std::function<void()> stop = [] { throw std::runtime_error("stop"); };
  CHECK_THROWS_WITH(static_cast<void>(run_child({"sleep", "1000"}, {}, stop)), "stop");
}

TEST_CASE("A program that is not there and one that a signal ends are told apart") {
  CHECK_THROWS_AS(static_cast<void>(run_child({"no-such-program-anywhere"}, {}, kNothing)), SystemError);
  CHECK(run_child({"sh", "-c", "kill -9 $$"}, {}, kNothing).exit_code == 137);
}

}  // namespace
}  // namespace inkling::bench
