#include "io/base/wording/style.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("styles leave text unchanged where colour is off and reset the terminal where it is on") {
  CHECK(Style(Colour::off).bold("x") == "x");
  CHECK(Style(Colour::off).series("x", 3) == "x");
  CHECK(Style(Colour::on).bold("x") == "\x1b[1mx\x1b[0m");
  CHECK(Style(Colour::on).series("x", 1) == Style(Colour::on).series("x", 1 + Style::series_colours));
}

}  // namespace
}  // namespace inkling
