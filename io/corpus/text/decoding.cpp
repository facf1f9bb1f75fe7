#include "io/corpus/text/decoding.hpp"

#include <array>
#include <cstring>

#include <simdjson.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

std::uint64_t eight_bytes(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

bool is_continuation(unsigned char byte) { return byte >= 0x80 && byte <= 0xBF; }

// Requires: a lead of a character of three or four bytes.
bool may_follow(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0 && second <= 0xBF;
  if (lead == 0xED) return second >= 0x80 && second <= 0x9F;
  if (lead == 0xF0) return second >= 0x90 && second <= 0xBF;
  if (lead == 0xF4) return second >= 0x80 && second <= 0x8F;
  return is_continuation(second);
}

// How many bytes at the front become one U+FFFD: as many as could begin a well-formed character, or else one
// ("maximal subpart", as the WHATWG and Python have it). Requires: the bytes are not empty and do not begin with a
// character.
std::size_t maximal_subpart(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const bool longer = byte(0) >= 0xE0 && byte(0) <= 0xF4;
  if (!longer || bytes.size() < 2 || !may_follow(byte(0), byte(1))) return 1;
  if (byte(0) < 0xF0 || bytes.size() < 3 || !is_continuation(byte(2))) return 2;
  return 3;
}

// The characters 0x80 to 0x9F of Windows-1252; empty for a byte that is no character.
constexpr unsigned char kFirstOfCp1252 = 0x80;
constexpr std::array<std::string_view, 32> kCp1252 = {"\xE2\x82\xAC",
                                                      "",
                                                      "\xE2\x80\x9A",
                                                      "\xC6\x92",
                                                      "\xE2\x80\x9E",
                                                      "\xE2\x80\xA6",
                                                      "\xE2\x80\xA0",
                                                      "\xE2\x80\xA1",
                                                      "\xCB\x86",
                                                      "\xE2\x80\xB0",
                                                      "\xC5\xA0",
                                                      "\xE2\x80\xB9",
                                                      "\xC5\x92",
                                                      "",
                                                      "\xC5\xBD",
                                                      "",
                                                      "",
                                                      "\xE2\x80\x98",
                                                      "\xE2\x80\x99",
                                                      "\xE2\x80\x9C",
                                                      "\xE2\x80\x9D",
                                                      "\xE2\x80\xA2",
                                                      "\xE2\x80\x93",
                                                      "\xE2\x80\x94",
                                                      "\xCB\x9C",
                                                      "\xE2\x84\xA2",
                                                      "\xC5\xA1",
                                                      "\xE2\x80\xBA",
                                                      "\xC5\x93",
                                                      "",
                                                      "\xC5\xBE",
                                                      "\xC5\xB8"};

bool is_own_of_cp1252(unsigned char byte) { return byte >= kFirstOfCp1252 && byte < kFirstOfCp1252 + kCp1252.size(); }

}  // namespace

bool is_ascii(std::string_view bytes) {
  constexpr std::size_t step = 64;
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= step; left -= step, at += step) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < step; i += sizeof all) all |= eight_bytes(at + i);
    if ((all & kHighBits) != 0) return false;
  }
  unsigned rest = 0;
  for (; left > 0; --left, ++at) rest |= static_cast<unsigned char>(*at);
  return rest < 0x80;
}

bool is_decoded(std::string_view bytes, TextEncoding encoding) {
  if (is_ascii(bytes)) return true;
  return is_utf8(encoding) && simdjson::validate_utf8(bytes.data(), bytes.size());
}

std::size_t valid_utf8_prefix(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (bytes.size() - at >= sizeof kHighBits && (eight_bytes(bytes.data() + at) & kHighBits) == 0) {
      at += sizeof kHighBits;
      continue;
    }
    const std::size_t length = utf8_character_length(bytes.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return at;
}

std::int64_t append_replaced(std::string_view bytes, PaddedText& out) {
  std::int64_t replaced = 0;
  for (;;) {
    const std::size_t valid = valid_utf8_prefix(bytes);
    out.append(bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) return replaced;
    const std::size_t bad = maximal_subpart(bytes);
    out.append(kReplacementCharacter);
    bytes.remove_prefix(bad);
    replaced += static_cast<std::int64_t>(bad);
  }
}

void append_latin1(std::string_view bytes, PaddedText& out) {
  const std::size_t before = out.size();
  char* to = out.extend(2 * bytes.size());
  const char* const begin = to;
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x80) {
      *to++ = character;
      continue;
    }
    *to++ = static_cast<char>(0xC0U | (byte >> 6U));
    *to++ = static_cast<char>(0x80U | (byte & 0x3FU));
  }
  out.truncate(before + static_cast<std::size_t>(to - begin));
}

std::size_t valid_cp1252_prefix(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (is_own_of_cp1252(byte) && kCp1252[byte - kFirstOfCp1252].empty()) return at;
  }
  return bytes.size();
}

std::int64_t append_cp1252(std::string_view bytes, PaddedText& out) {
  std::int64_t replaced = 0;
  std::size_t copied = 0;  // bytes written so far; bytes from here to the next one of kCp1252 are Latin-1
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto byte = static_cast<unsigned char>(bytes[at]);
    if (!is_own_of_cp1252(byte)) continue;
    append_latin1(bytes.substr(copied, at - copied), out);
    copied = at + 1;
    const std::string_view character = kCp1252[byte - kFirstOfCp1252];
    replaced += character.empty() ? 1 : 0;
    out.append(character.empty() ? kReplacementCharacter : character);
  }
  append_latin1(bytes.substr(copied), out);
  return replaced;
}

// Puts the position of the first bad byte into `bad_at_`.
bool TextDecoder::is_refused(std::string_view text) {
  if (bad_bytes_ != BadBytes::refuse || encoding_ == TextEncoding::latin1) return false;
  bad_at_ = is_utf8(encoding_) ? valid_utf8_prefix(text) : valid_cp1252_prefix(text);
  return bad_at_ < text.size();
}

std::optional<std::string_view> TextDecoder::decode_slowly(std::string_view text, PaddedText& scratch) {
  if (is_decoded(text, encoding_)) return text;
  if (is_refused(text)) return std::nullopt;
  scratch.clear();
  if (encoding_ == TextEncoding::latin1)
    append_latin1(text, scratch);
  else if (encoding_ == TextEncoding::cp1252)
    replaced_ += append_cp1252(text, scratch);
  else
    replaced_ += append_replaced(text, scratch);
  return scratch.view();
}

}  // namespace inkling
