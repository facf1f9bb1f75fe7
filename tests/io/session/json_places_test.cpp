#include "io/session/json_places.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/support/test_pool.hpp"

namespace inkling {
namespace {

using Piece = std::pair<std::string, std::size_t>;

Piece piece_of(const JsonPiece& piece) { return {std::string(piece.text), piece.position}; }

TEST_CASE("the values of an object are cut out as they are written") {
  JsonPieces pieces(R"( {"a" : 1 , "b":[1,{"c":"]"}], "\"}":"x\\", "d" :{} , "e":-0.5e3 } )");
  CHECK(piece_of(pieces.next_member()) == Piece{"1", 8});
  CHECK(piece_of(pieces.next_member()) == Piece{R"([1,{"c":"]"}])", 16});
  CHECK(piece_of(pieces.next_member()) == Piece{R"("x\\")", 37});
  CHECK(piece_of(pieces.next_member()) == Piece{"{}", 49});
  CHECK(piece_of(pieces.next_member()) == Piece{"-0.5e3", 58});
}

TEST_CASE("the elements of an array are cut out as they are written") {
  JsonPieces pieces(R"([1, "a,b" ,[2,3] ,null])");
  CHECK(piece_of(pieces.next_element()) == Piece{"1", 1});
  CHECK(piece_of(pieces.next_element()) == Piece{R"("a,b")", 4});
  CHECK(piece_of(pieces.next_element()) == Piece{"[2,3]", 11});
  CHECK(piece_of(pieces.next_element()) == Piece{"null", 18});
}

TEST_CASE("the first scalar that is not JSON is found, and none inside strings") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"a":NaN})", "NaN"},          {R"({"a":[1,Infinity]})", "Infinity"},
      {R"({"a":"NaN","b":+1})", "+1"},  {R"({a:1})", "a"},
      {R"({"a":1e999})", "1e999"},      {R"({"a":"\"NaN"})", ""},
      {R"({"a":true,"b":null,"c)", ""}, {"", ""},
      {R"({"a":0x10})", "0x10"},        {"'a'", "'a'"},
  };
  for (const auto& [text, found] : cases) {
    CAPTURE(text);
    const auto piece = first_bad_scalar(text);
    CHECK(piece.has_value() == !found.empty());
    if (piece) CHECK(piece->text == found);
    if (piece) CHECK(piece->position == text.find(found));
  }
}

TEST_CASE("the pieces of any text lie within the text") {
  RandomStream random = test::stream_for(20);
  constexpr std::string_view alphabet = "{}[]\",:\\ 1a";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t left = random.below(12); left > 0; --left)
      text += alphabet[random.below(alphabet.size())];
    CAPTURE(text);
    JsonPieces pieces(text);
    for (int n = 0; n < 8; ++n) {
      const JsonPiece piece = n % 2 == 0 ? pieces.next_member() : pieces.next_element();
      REQUIRE(piece.position + piece.text.size() <= text.size());
    }
    if (const auto piece = first_bad_scalar(text))
      REQUIRE(piece->position + piece->text.size() <= text.size());
  }
}

}  // namespace
}  // namespace inkling
