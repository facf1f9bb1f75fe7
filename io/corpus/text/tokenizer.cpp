#include "io/corpus/text/tokenizer.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include <unicode/ucasemap.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

#include "io/base/file/utf8.hpp"
#include "io/corpus/text/byte_classes.hpp"
#include "io/corpus/text/padded_text.hpp"
#include "io/corpus/text/word_breaks.hpp"

namespace inkling {
namespace {

constexpr std::uint8_t kNewestMajorVersion = 14;
constexpr std::size_t kCodePoints = 0x110000;
constexpr char32_t kCapitalSigma = 0x3A3;  // its lower case depends on what is around it
constexpr UChar32 kZeroWidthSpace = 0x200B;
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

// Applies the rules of lower case that depend on the neighbours of a character.
void append_lower_case_in_context(std::string& out, std::string_view text) {
  static const CaseMap map = root_case_map();
  const std::size_t before = out.size();
  out.resize(before + 3 * text.size());  // no character grows by more
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t length = ucasemap_utf8ToLower(map.get(), out.data() + before, static_cast<std::int32_t>(out.size() - before),
                                                   text.data(), static_cast<std::int32_t>(text.size()), &error);
  if (U_FAILURE(error)) throw std::runtime_error("ICU cannot lower-case this text");
  out.resize(before + static_cast<std::size_t>(length));
}

const UNormalizer2* compatible_characters() {
  UErrorCode error = U_ZERO_ERROR;
  const UNormalizer2* const rules = unorm2_getNFKDInstance(&error);
  if (U_FAILURE(error)) throw std::runtime_error("ICU has no rules for compatible characters");
  return rules;
}

bool is_newer(UChar32 character) {
  UVersionInfo age = {};
  u_charAge(character, age);
  return age[0] > kNewestMajorVersion;
}

}  // namespace

bool is_word_character(char32_t character) {
  static const WordCharacters words;
  return words.contains(character) || character == U'_';
}

bool is_word_character(char32_t character, TokenRule rule) {
  return is_word_character(character) || (rule == TokenRule::dictionary && is_unspaced_mark(character));
}

void append_lower_case(std::string& out, std::string_view text) {
  const std::size_t before = out.size();
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t at = 0;
  while (at < text.size()) {
    UChar32 character = 0;
    U8_NEXT_UNSAFE(bytes, at, character);
    if (character == static_cast<UChar32>(kCapitalSigma) || character == static_cast<UChar32>(kCapitalIWithDot)) {
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

void append_without_accents(std::string& out, std::string_view text, Accents accents) {
  static const UNormalizer2* const rules = compatible_characters();
  constexpr std::int32_t longest = 32;  // the longest mapping has 18
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto append = [&](UChar32 character) {
    if (u_getCombiningClass(character) != 0) return;
    if (accents == Accents::unicode || character < 0x80 || character == kZeroWidthSpace)
      append_character(static_cast<char32_t>(character), out);
  };
  std::size_t at = 0;
  while (at < text.size()) {
    UChar32 character = 0;
    U8_NEXT_UNSAFE(bytes, at, character);
    UChar mapping[longest];
    UErrorCode error = U_ZERO_ERROR;
    const std::int32_t length =
        character < 0x80 || is_newer(character) ? -1 : unorm2_getDecomposition(rules, character, mapping, longest, &error);
    if (U_FAILURE(error)) throw std::runtime_error("ICU cannot take the accents from this text");
    if (length < 0) append(character);
    for (std::int32_t n = 0; n < length;) {
      UChar32 part = mapping[n++];
      if (part >= 0xD800 && part < 0xDC00) part = 0x10000 + ((part - 0xD800) << 10) + (mapping[n++] - 0xDC00);
      append(part);
    }
  }
}

namespace {

// The rules of lower case never look beyond these characters: they have no case and end a run of letters.
bool is_ascii_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == '\0'; }

bool is_non_ascii(char byte) { return (static_cast<unsigned char>(byte) & 0x80U) != 0; }

// Lower-cases what is ASCII and leaves the rest.
void append_lower_ascii(std::string& out, std::string_view text) {
  for (const char byte : text) out += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
}

// Only stretches between spaces that hold more than ASCII need the rules of Unicode.
void append_lower_mixed(std::string& out, std::string_view text) {
  while (true) {
    const auto odd = std::ranges::find_if(text, is_non_ascii);
    if (odd == text.end()) break;
    auto begin = odd;
    while (begin != text.begin() && !is_ascii_space(*(begin - 1))) --begin;
    const auto end = std::find_if(odd, text.end(), is_ascii_space);
    append_lower_ascii(out, {text.begin(), begin});
    append_lower_case(out, {begin, end});
    text = {end, text.end()};
  }
  append_lower_ascii(out, text);
}

std::uint64_t word_bits(const ByteClasses& classes, TokenRule rule) {
  return rule == TokenRule::letters ? classes.letters : classes.letters | classes.others;
}

// Writes a separator at each word break. It is part of no word and does not influence lower case.
void write_separated(std::string& out, std::string_view text) {
  constexpr std::string_view separator = "\u200B";
  out.clear();
  std::size_t written = 0;
  for (const std::size_t at : word_breaks(text)) {
    out += text.substr(written, at - written);
    out += separator;
    written = at;
  }
  out += text.substr(written);
}

}  // namespace

void Tokenizer::prepare(std::string_view text) {
  length_ = text.size();
  blocks_ = length_ / 64 + 1;
  if (prepared_.size() < blocks_ * 64 + kTextPadding) prepared_.resize(blocks_ * 64 + kTextPadding);
  if (word_bytes_.size() < blocks_) word_bytes_.resize(blocks_);
  std::uint64_t non_ascii = 0;
  for (std::size_t block = 0; block < blocks_; ++block) {
    ByteClasses classes = lower_and_classify(text.data() + block * 64, prepared_.data() + block * 64);
    if (block + 1 == blocks_) {
      const std::uint64_t within_text = (std::uint64_t{1} << (length_ % 64)) - 1;
      classes.letters &= within_text;
      classes.others &= within_text;
      classes.non_ascii &= within_text;
    }
    word_bytes_[block] = word_bits(classes, options_.rule);
    non_ascii |= classes.non_ascii;
  }
  ascii_ = non_ascii == 0;
  if (ascii_ && options_.letter_case == LetterCase::keep) std::memcpy(prepared_.data(), text.data(), length_);
  if (!ascii_) prepare_unicode(text);
}

void Tokenizer::prepare_unicode(std::string_view text) {
  if (options_.rule == TokenRule::dictionary) {
    write_separated(separated_, text);
    text = separated_;
  }
  prepared_.clear();
  if (options_.letter_case == LetterCase::lower)
    append_lower_mixed(prepared_, text);
  else
    prepared_ += text;
  if (options_.accents != Accents::keep) {
    unaccented_.clear();
    append_without_accents(unaccented_, prepared_, options_.accents);
    std::swap(prepared_, unaccented_);
  }
  length_ = prepared_.size();
  blocks_ = length_ / 64 + 1;
  prepared_.resize(blocks_ * 64 + kTextPadding);  // zeros, which are part of no word
  word_bytes_.resize(std::max(word_bytes_.size(), blocks_));
  char lower[64];
  for (std::size_t block = 0; block < blocks_; ++block)
    word_bytes_[block] = word_bits(lower_and_classify(prepared_.data() + block * 64, lower), options_.rule);
  if (options_.rule != TokenRule::letters) mark_unicode_words();
}

void Tokenizer::mark_unicode_words() {
  std::size_t at = 0;
  while (at < length_) {
    if (!is_non_ascii(prepared_[at])) {
      ++at;
      continue;
    }
    const Utf8Character character = first_character(std::string_view(prepared_).substr(at));
    if (is_word_character(character.code_point, options_.rule))
      for (std::size_t i = at; i < at + character.length; ++i) word_bytes_[i / 64] |= std::uint64_t{1} << (i % 64);
    at += character.length;
  }
}

// Has no branch for each token: where tokens begin and end, and which are too short, cannot be predicted.
std::span<const std::string_view> Tokenizer::tokens_of_group(std::size_t first_block) {
  const std::size_t blocks = std::min(blocks_of_group, blocks_ - first_block);
  std::uint64_t carry = open_token_ != nullptr ? 1 : 0;
  std::uint16_t* edges_end = edges_.data();
  for (std::size_t n = 0; n < blocks; ++n) {
    const std::uint64_t word = word_bytes_[first_block + n];
    edges_end = write_set_bits(edges_end, word ^ ((word << 1U) | carry), static_cast<std::uint16_t>(64 * n));
    carry = word >> 63U;
  }
  const char* const text = prepared_.data() + 64 * first_block;
  const auto least = static_cast<std::size_t>(options_.min_length);
  const std::uint16_t* edge = edges_.data();
  std::string_view* token = tokens_.data();
  const auto add = [&](const char* begin, const char* end) {
    *token = {begin, static_cast<std::size_t>(end - begin)};
    token += token->size() >= least ? 1 : 0;
  };
  if (open_token_ != nullptr && edge != edges_end) add(std::exchange(open_token_, nullptr), text + *edge++);
  for (; edges_end - edge >= 2; edge += 2) add(text + edge[0], text + edge[1]);
  if (edge != edges_end) open_token_ = text + *edge;
  if (!ascii_) {
    const auto is_too_short = [this](std::string_view long_in_bytes) { return !is_long_enough(long_in_bytes); };
    token = std::remove_if(tokens_.data(), token, is_too_short);
  }
  return {tokens_.data(), token};
}

bool Tokenizer::is_long_enough(std::string_view token) const {
  const auto is_continuation = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  const std::ptrdiff_t characters = static_cast<std::ptrdiff_t>(token.size()) - std::ranges::count_if(token, is_continuation);
  return characters >= options_.min_length;
}

}  // namespace inkling
