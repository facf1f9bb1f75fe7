#include "io/base/file/digit_groups.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("digits stand in groups of three") {
  CHECK(digit_groups(0) == "0");
  CHECK(digit_groups(999) == "999");
  CHECK(digit_groups(1000) == "1,000");
  CHECK(digit_groups(1'048'576) == "1,048,576");
  CHECK(digit_groups(std::numeric_limits<std::uint64_t>::max()) == "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace inkling
