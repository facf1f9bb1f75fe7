#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include <doctest/doctest.h>

#include "io/corpus/matrix/matrix_source.hpp"
#include "tests/support/io/bad_input_tables.hpp"

namespace inkling {
namespace {

// The value if the whole text is one.
std::optional<float> parse_matrix_value(std::string_view text) {
  float value = 0;
  const char* const end = text.data() + text.size();
  if (read_matrix_value(text.data(), end, value) != end) return std::nullopt;
  return value;
}

TEST_CASE("texts that are no value are refused, good ones are the nearest float32, and zeros have no sign") {
  for (const std::string_view text : test::bad_values) {
    CAPTURE(text);
    CHECK(parse_matrix_value(text) == std::nullopt);
  }
  CHECK(parse_matrix_value(" 1") == std::nullopt);
  CHECK(parse_matrix_value("1 ") == std::nullopt);

  for (const test::GoodValue& good : test::good_values) {
    CAPTURE(good.text);
    CHECK(parse_matrix_value(good.text) == good.value);
  }

  for (const std::string_view text : test::zero_values) {
    CAPTURE(text);
    REQUIRE(parse_matrix_value(text) == 0.0F);
    CHECK_FALSE(std::signbit(*parse_matrix_value(text)));
  }
}

TEST_CASE("the same rule holds for numbers of arrays") {
  constexpr double most = std::numeric_limits<float>::max();
  constexpr double least = std::numeric_limits<float>::min();
  CHECK(matrix_value(0.1) == 0.1F);
  CHECK(matrix_value(-most) == -std::numeric_limits<float>::max());
  CHECK(matrix_value(least) == std::numeric_limits<float>::min());
  CHECK(matrix_value(-0.0) == 0.0F);
  CHECK_FALSE(std::signbit(*matrix_value(-0.0)));
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, most * 2, -1e300, least / 2, 1e-300, 5e-324}) {
    CAPTURE(bad);
    CHECK(matrix_value(bad) == std::nullopt);
  }
}

}  // namespace
}  // namespace inkling
