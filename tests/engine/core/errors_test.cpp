#include "engine/core/errors.hpp"

#include <cerrno>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("a system error gives the path and what was tried and why it failed") {
  const SystemError error("pool/data.npy", ENOENT, "open");
  CHECK(error.path() == "pool/data.npy");
  CHECK(error.error_number() == ENOENT);
  CHECK(std::string(error.what()) == "pool/data.npy: open: No such file or directory");
}

TEST_CASE("a format error gives where it is and what was expected") {
  const FormatError error("events:3:7", "expected a number");
  CHECK(error.where() == "events:3:7");
  CHECK(error.expectation() == "expected a number");
  CHECK(std::string(error.what()) == "events:3:7: expected a number");
}

}  // namespace
}  // namespace inkling
