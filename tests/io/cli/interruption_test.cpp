#include "io/cli/interruption.hpp"

#include <csignal>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("interrupted() is true after Ctrl-C") {
  install_interruption_handler();
  CHECK_FALSE(interrupted());
  CHECK_NOTHROW(throw_if_interrupted());
  REQUIRE(std::raise(SIGINT) == 0);
  CHECK(interrupted());
  CHECK_THROWS_AS(throw_if_interrupted(), InterruptedError);
}

}  // namespace
}  // namespace inkling
