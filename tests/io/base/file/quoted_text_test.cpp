#include <string>

#include <doctest/doctest.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

TEST_CASE("text in messages is shortened and quoted and cannot act on a terminal") {
  CHECK(quoted_text("") == "\"\"");
  CHECK(quoted_text("Köln") == "\"Köln\"");
  CHECK(quoted_text("a\x1B[31mb\n") == "\"a\\x1B[31mb\\x0A\"");
  CHECK(quoted_text("\xFF\x7F") == "\"\\xFF\\x7F\"");
  CHECK(quoted_text(std::string(42, 'x')) == "\"" + std::string(40, 'x') + "…\"");
  CHECK(quoted_text(std::string(40, 'x')) == "\"" + std::string(40, 'x') + "\"");
}

}  // namespace
}  // namespace inkling
