#include "engine/core/enum_names.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

enum class Colour { red, green };
constexpr EnumName<Colour> kColourNames[] = {{Colour::red, "red"}, {Colour::green, "green"}};

}  // namespace

TEST_CASE("a table of names gives the name of a value and the value of a name") {
  static_assert(name_of(Colour::green, kColourNames) == "green");
  CHECK(name_of(Colour::red, kColourNames) == "red");
  CHECK(value_of("green", kColourNames) == Colour::green);
  CHECK(value_of("Green", kColourNames) == std::nullopt);
  CHECK(value_of("", kColourNames) == std::nullopt);
}

}  // namespace inkling
