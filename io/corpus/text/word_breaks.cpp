#include "io/corpus/text/word_breaks.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include <tbb/enumerable_thread_specific.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "io/corpus/text/tokenizer.hpp"

namespace inkling {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// Thai and Lao, Burmese, Khmer, iteration mark and kana, more kana, Han with its extensions and compatible forms.
constexpr Range kUnspaced[] = {{0xE00, 0xEFF},   {0x1000, 0x109F}, {0x1780, 0x17FF},  {0x3005, 0x3007},
                               {0x3040, 0x30FF}, {0x31F0, 0x31FF}, {0x3400, 0x4DBF},  {0x4E00, 0x9FFF},
                               {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x20000, 0x3FFFF}};

void check(UErrorCode error) {
  if (U_FAILURE(error)) throw std::runtime_error("ICU has no rules and dictionaries for words");
}

using Breaker = std::unique_ptr<UBreakIterator, decltype(&ubrk_close)>;

Breaker new_breaker() {
  UErrorCode error = U_ZERO_ERROR;
  Breaker breaker(ubrk_open(UBRK_WORD, "", nullptr, 0, &error), &ubrk_close);
  check(error);
  return breaker;
}

void append_breaks(std::vector<std::size_t>& breaks, std::string_view stretch, std::size_t begin) {
  // Expensive to make, and not shared: one has a position. No thread_local, which MinGW frees before it is destroyed.
  static tbb::enumerable_thread_specific<Breaker> breakers(new_breaker);
  const Breaker& breaker = breakers.local();
  UErrorCode error = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, stretch.data(), static_cast<std::int64_t>(stretch.size()), &error);
  ubrk_setUText(breaker.get(), &text, &error);
  check(error);
  for (std::int32_t at = ubrk_first(breaker.get()); at != UBRK_DONE; at = ubrk_next(breaker.get()))
    breaks.push_back(begin + static_cast<std::size_t>(at));
  utext_close(&text);
}

}  // namespace

bool is_of_unspaced_script(char32_t character) noexcept {
  return character >= kUnspaced[0].first &&
         std::ranges::any_of(kUnspaced, [&](const Range& range) { return character >= range.first && character <= range.last; });
}

bool has_unspaced_script(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = first_character(text.substr(at));
    if (is_of_unspaced_script(character.code_point)) return true;
    at += character.length;
  }
  return false;
}

bool is_unspaced_mark(char32_t character) noexcept {
  return is_of_unspaced_script(character) && (U_MASK(u_charType(static_cast<UChar32>(character))) & U_GC_M_MASK) != 0;
}

std::vector<std::size_t> word_breaks(std::string_view text) {
  std::vector<std::size_t> breaks;
  std::size_t begin = 0;
  bool is_within = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = first_character(text.substr(at));
    const bool belongs = is_of_unspaced_script(character.code_point);
    if (belongs && !is_within) begin = at;
    if (!belongs && is_within) append_breaks(breaks, text.substr(begin, at - begin), begin);
    is_within = belongs;
    at += character.length;
  }
  if (is_within) append_breaks(breaks, text.substr(begin), begin);
  return breaks;
}

}  // namespace inkling
