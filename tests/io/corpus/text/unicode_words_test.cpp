#include <string>

#include <doctest/doctest.h>

#include "io/corpus/text/tokenizer.hpp"

namespace inkling {
namespace {

std::string lower(std::string_view text) {
  std::string out;
  append_lower_case(out, text);
  return out;
}

TEST_CASE("letters and numbers of any script and the underscore are parts of words") {
  for (const char32_t character : {U'a', U'Z', U'0', U'_', U'é', U'ß', U'Ж', U'א', U'ا', U'क', U'東', U'あ', U'²', U'½', U'Ⅷ',
                                   U'ª', U'ʰ', char32_t{0x1D518}, char32_t{0x2F81A}}) {
    CAPTURE(static_cast<unsigned>(character));
    CHECK(is_word_character(character));
  }
  for (const char32_t character : {U' ', U'-', U'\'', U'.', U'’', U'€', U'\x301', U'\x903', U'\xAD', U'\x200D', U'￼',
                                   char32_t{0x1F600}, char32_t{0x31350}, char32_t{0x10FFFF}, char32_t{0x110000}}) {
    CAPTURE(static_cast<unsigned>(character));
    CHECK_FALSE(is_word_character(character));
  }
}

TEST_CASE("lower case follows the full mapping") {
  CHECK(lower("ABC äÖ ÀÉ") == "abc äö àé");
  CHECK(lower("İ") == "i\xCC\x87");
  CHECK(lower("ΑΣ") == "ας");
  CHECK(lower("ΣΑ") == "σα");
  CHECK(lower("\xE2\x84\xAA") == "k");
  CHECK(lower("ẞ") == "ß");
  CHECK(lower("ǅ") == "ǆ");
  CHECK(lower("").empty());
}

}  // namespace
}  // namespace inkling
