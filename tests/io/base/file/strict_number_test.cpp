#include "io/base/file/strict_number.hpp"

#include <cmath>

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("a whole number is digits with at most a minus, and fits") {
  CHECK(parse_integer("0") == 0);
  CHECK(parse_integer("-0") == 0);
  CHECK(parse_integer("007") == 7);
  CHECK(parse_integer("-9223372036854775808") == INT64_MIN);
  CHECK(parse_integer("9223372036854775807") == INT64_MAX);
  for (const std::string_view text :
       {"", " 1", "1 ", "+1", "1.0", "1e3", "0x1", "1,5", "-", "--1", "9223372036854775808", "nan", "1_000"}) {
    CHECK_FALSE(parse_integer(text));
  }
  CHECK_FALSE(parse_integer(std::string_view("1\0", 2)));
}

TEST_CASE("a number is decimal, finite and nothing but a number, and minus zero loses its sign") {
  CHECK(parse_real("0.5") == 0.5);
  CHECK(parse_real("1e-3") == 0.001);
  CHECK(parse_real("-2.5E2") == -250.0);
  CHECK(parse_real("5e-324") == 5e-324);
  for (const std::string_view text : {"", " 1", "1 ", "+1", "1,5", "nan", "-NaN", "nan(1)", "inf", "-Infinity", "1e999", "-1e999",
                                      "1e-999", "0x1p3", "0x10", "1e", "e5", ".", "1f"}) {
    CHECK_FALSE(parse_real(text));
  }

  REQUIRE(parse_real("-0"));
  CHECK_FALSE(std::signbit(*parse_real("-0")));
}

}  // namespace
}  // namespace inkling
