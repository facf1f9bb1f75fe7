#include "engine/core/enum_names.hpp"

#include <doctest/doctest.h>

namespace inkling {
namespace {

enum class Paint { red, green };
constexpr EnumName<Paint> kPaintNames[] = {{Paint::red, "red"}, {Paint::green, "green"}};

}  // namespace

TEST_CASE("a table of names gives the name of a value and the value of a name") {
  static_assert(name_of(Paint::green, kPaintNames) == "green");
  CHECK(name_of(Paint::red, kPaintNames) == "red");
  CHECK(value_of("green", kPaintNames) == Paint::green);
  CHECK(value_of("Green", kPaintNames) == std::nullopt);
  CHECK(value_of("", kPaintNames) == std::nullopt);
}

}  // namespace inkling
