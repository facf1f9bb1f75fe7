#include "io/base/file/json_writer.hpp"

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace inkling {
namespace {

template <typename Value>
std::string json_of(const Value& value) {
  JsonWriter json;
  json.value(value);
  return json.take();
}

TEST_CASE("objects and arrays nest, with commas where they belong") {
  JsonWriter json;
  json.begin_object().member("policy", "ff-oful").key("regret").begin_object();
  json.member("mean", 1.5).member("stderr", 0.25).end_object();
  json.key("rounds").begin_array().value(1).value(2).begin_object().end_object().null().end_array();
  json.key("none").begin_array().end_array().member("exact", true).end_object();
  CHECK(json.text() == R"({"policy":"ff-oful","regret":{"mean":1.5,"stderr":0.25},)"
                       R"("rounds":[1,2,{},null],"none":[],"exact":true})");
}

TEST_CASE("take() starts the next object") {
  JsonWriter json;
  json.begin_object().member("a", 1).end_object();
  CHECK(json.take() == R"({"a":1})");
  json.begin_object().member("b", 2).end_object();
  CHECK(json.take() == R"({"b":2})");
}

TEST_CASE("doubles have the fewest digits that read back the same and those that are not finite are null") {
  CHECK(json_of(0.1) == "0.1");
  CHECK(json_of(1.0 / 3) == "0.3333333333333333");
  CHECK(json_of(5e-324) == "5e-324");
  CHECK(json_of(1e22) == "1e+22");
  CHECK(json_of(-std::numeric_limits<double>::max()) == "-1.7976931348623157e+308");
  CHECK(json_of(-2.2250738585072014e-308) == "-2.2250738585072014e-308");
  CHECK(json_of(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(json_of(std::numeric_limits<double>::infinity()) == "null");
  CHECK(json_of(-std::numeric_limits<double>::infinity()) == "null");
}

TEST_CASE("integers keep every digit, and text is escaped and never written as a truth value") {
  CHECK(json_of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(json_of(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(json_of(7) == "7");
  CHECK(json_of(std::uint8_t{7}) == "7");

  CHECK(json_of("plain") == R"("plain")");
  CHECK(json_of(std::string_view("q\" b\\ n\n t\t r\r b\b f\f")) == R"("q\" b\\ n\n t\t r\r b\b f\f")");
  CHECK(json_of(std::string_view("\x01\x1f\0", 3)) == "\"\\u0001\\u001f\\u0000\"");
  CHECK(json_of(std::string_view("plain \x7F~\xC3\xA9 and \"plain\" again\n")) ==
        "\"plain \\u007f~\xC3\xA9 and \\\"plain\\\" again\\n\"");
  CHECK(json_of("\xC3\xA9 \xF0\x9F\x98\x80") == "\"\xC3\xA9 \xF0\x9F\x98\x80\"");
}

TEST_CASE("a character that is escaped is found wherever it is in a text") {
  for (std::size_t size = 1; size < 20; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (unsigned next = 0; next < 0x80; ++next) {
        std::string text(size, 'x');
        text[at] = static_cast<char>(next);
        const std::string json = json_of(std::string_view(text));
        const bool is_plain = next >= ' ' && next != '"' && next != '\\' && next != 0x7F;
        CHECK((json == '"' + text + '"') == is_plain);
        CHECK(json.starts_with('"' + std::string(at, 'x')));
        CHECK(json.ends_with(std::string(size - at - 1, 'x') + '"'));
      }
}

TEST_CASE("each byte that is not UTF-8 becomes the replacement character") {
  CHECK(json_of("a\xFF\xC3") == "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
  JsonWriter json;
  json.begin_object().member("\xFF", 1).end_object();
  CHECK(json.text() == "{\"\xEF\xBF\xBD\":1}");
}

}  // namespace
}  // namespace inkling
