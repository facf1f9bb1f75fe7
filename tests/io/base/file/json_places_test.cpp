#include "io/base/file/json_places.hpp"

#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "tests/support/engine/test_pool.hpp"

namespace inkling {
namespace {

using Piece = std::pair<std::string, std::size_t>;

Piece piece_of(const JsonPiece& piece) { return {std::string(piece.text), piece.position}; }

JsonPiece whole(std::string_view text) { return {text, 0}; }

TEST_CASE("the values of an object are cut out as they are written") {
  JsonPieces pieces(whole(R"( {"a" : 1 , "b":[1,{"c":"]"}], "\"}":"x\\", "d" :{} , "e":-0.5e3 } )"));
  CHECK(piece_of(pieces.next_member().value) == Piece{"1", 8});
  CHECK(piece_of(pieces.next_member().value) == Piece{R"([1,{"c":"]"}])", 16});
  CHECK(piece_of(pieces.next_member().value) == Piece{R"("x\\")", 37});
  CHECK(piece_of(pieces.next_member().value) == Piece{"{}", 49});
  CHECK(piece_of(pieces.next_member().value) == Piece{"-0.5e3", 58});
}

TEST_CASE("the elements of an array are cut out as they are written") {
  JsonPieces pieces(whole(R"([1, "a,b" ,[2,3] ,null])"));
  CHECK(piece_of(pieces.next_element()) == Piece{"1", 1});
  CHECK(piece_of(pieces.next_element()) == Piece{R"("a,b")", 4});
  CHECK(piece_of(pieces.next_element()) == Piece{"[2,3]", 11});
  CHECK(piece_of(pieces.next_element()) == Piece{"null", 18});
}

TEST_CASE("names and ends of objects and arrays are found and places count from the start of the text") {
  JsonPieces members({R"({ "a\"" : 1, "b":[] })", 100});
  REQUIRE(members.has_next());
  const JsonMember first = members.next_member();
  CHECK(piece_of(first.name) == Piece{R"("a\"")", 102});
  CHECK(piece_of(first.value) == Piece{"1", 110});
  CHECK(piece_of(members.next_member().value) == Piece{"[]", 117});
  CHECK_FALSE(members.has_next());
  CHECK_FALSE(JsonPieces(whole("[ ]")).has_next());
  CHECK_FALSE(JsonPieces(whole(" {}")).has_next());
}

TEST_CASE("the values found in any text lie within the text") {
  RandomStream random = test::stream_for(20);
  constexpr std::string_view alphabet = "{}[]\",:\\ 1a";
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t left = random.below(12); left > 0; --left) text += alphabet[random.below(alphabet.size())];
    CAPTURE(text);
    JsonPieces pieces(whole(text));
    for (int n = 0; n < 8; ++n) {
      const JsonPiece piece = n % 2 == 0 ? pieces.next_member().value : pieces.next_element();
      REQUIRE(piece.position + piece.text.size() <= text.size());
    }
  }
}

}  // namespace
}  // namespace inkling
