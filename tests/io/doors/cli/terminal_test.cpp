#include "io/doors/cli/terminal.hpp"

#include <doctest/doctest.h>

#include "io/base/wording/style.hpp"

namespace inkling {
namespace {

TEST_CASE("colour is on for terminals that support it unless a person turns it off") {
  CHECK(colour_for(true, nullptr, "xterm-256color") == Colour::on);
  CHECK(colour_for(true, "", "xterm") == Colour::on);
  CHECK(colour_for(true, "1", "xterm") == Colour::off);
  CHECK(colour_for(true, nullptr, "dumb") == Colour::off);
  CHECK(colour_for(true, nullptr, nullptr) == Colour::off);
  CHECK(colour_for(false, nullptr, "xterm") == Colour::off);
}

}  // namespace
}  // namespace inkling
