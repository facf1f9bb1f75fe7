#include "io/text/unicode_words.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace inkling {
namespace {

constexpr std::uint8_t kNewestMajorVersion = 14;
constexpr std::size_t kCodePoints = 0x110000;
constexpr char32_t kCapitalSigma = 0x3A3;     // its lower case depends on what stands around it
constexpr char32_t kCapitalIWithDot = 0x130;  // its lower case is two characters

// One bit for each code point.
class WordCharacters {
 public:
  WordCharacters() : bits_(kCodePoints / 64) { u_enumCharTypes(&WordCharacters::add_range, this); }

  [[nodiscard]] bool contains(char32_t character) const {
    return character < kCodePoints && ((bits_[character / 64] >> (character % 64)) & 1U) != 0;
  }

 private:
  static UBool U_CALLCONV add_range(const void* context, UChar32 start, UChar32 limit, UCharCategory type) {
    constexpr std::uint32_t letters_and_numbers = U_GC_L_MASK | U_GC_N_MASK;
    if ((U_MASK(type) & letters_and_numbers) == 0) return 1;
    auto& bits = const_cast<WordCharacters*>(static_cast<const WordCharacters*>(context))->bits_;
    for (UChar32 c = start; c < limit; ++c) {
      UVersionInfo age = {};
      u_charAge(c, age);
      if (age[0] > kNewestMajorVersion) continue;
      const auto at = static_cast<std::size_t>(c);
      bits[at / 64] |= std::uint64_t{1} << (at % 64);
    }
    return 1;
  }

  std::vector<std::uint64_t> bits_;
};

using CaseMap = std::unique_ptr<UCaseMap, decltype(&ucasemap_close)>;

CaseMap root_case_map() {
  UErrorCode error = U_ZERO_ERROR;
  CaseMap map(ucasemap_open("", 0, &error), &ucasemap_close);
  if (U_FAILURE(error)) throw std::runtime_error("ICU has no rules for lower case");
  return map;
}

// By the rules that look at the neighbours of a character.
void append_lower_case_in_context(std::string& out, std::string_view text) {
  static const CaseMap map = root_case_map();
  const std::size_t before = out.size();
  out.resize(before + 3 * text.size());  // no character grows by more
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t length =
      ucasemap_utf8ToLower(map.get(), out.data() + before, static_cast<std::int32_t>(out.size() - before),
                           text.data(), static_cast<std::int32_t>(text.size()), &error);
  if (U_FAILURE(error)) throw std::runtime_error("ICU cannot lower-case this text");
  out.resize(before + static_cast<std::size_t>(length));
}

}  // namespace

bool is_word_character(char32_t character) {
  static const WordCharacters words;
  return words.contains(character) || character == U'_';
}

void append_lower_case(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t at = 0;
  while (at < text.size()) {
    UChar32 character = 0;
    U8_NEXT_UNSAFE(bytes, at, character);
    if (character == static_cast<UChar32>(kCapitalSigma) ||
        character == static_cast<UChar32>(kCapitalIWithDot)) {
      out.resize(before);
      append_lower_case_in_context(out, text);
      return;
    }
    std::uint8_t encoded[U8_MAX_LENGTH] = {};
    std::size_t length = 0;
    const auto lower = static_cast<std::uint32_t>(u_tolower(character));
    U8_APPEND_UNSAFE(encoded, length, lower);
    out.append(reinterpret_cast<const char*>(encoded), length);
  }
}

}  // namespace inkling
