#include "io/cli/terminal.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

TEST_CASE("colour is on for terminals that show it unless a person refuses it") {
  CHECK(colour_for(true, nullptr, "xterm-256color") == Colour::on);
  CHECK(colour_for(true, "", "xterm") == Colour::on);
  CHECK(colour_for(true, "1", "xterm") == Colour::off);
  CHECK(colour_for(true, nullptr, "dumb") == Colour::off);
  CHECK(colour_for(true, nullptr, nullptr) == Colour::off);
  CHECK(colour_for(false, nullptr, "xterm") == Colour::off);
}

TEST_CASE("styles leave text unchanged where colour is off and reset the terminal where it is on") {
  CHECK(Style(Colour::off).bold("x") == "x");
  CHECK(Style(Colour::off).series("x", 3) == "x");
  CHECK(Style(Colour::on).bold("x") == "\x1b[1mx\x1b[0m");
  CHECK(Style(Colour::on).series("x", 1) == Style(Colour::on).series("x", 1 + Style::series_colours));
}

}  // namespace
}  // namespace inkling
