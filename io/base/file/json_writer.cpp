#include "io/base/file/json_writer.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

// Whether eight bytes are ASCII characters that need no escape.
bool are_plain(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  const auto has_zero = [&](std::uint64_t other) { return (other - ones) & ~other; };
  const auto has = [&](char character) { return has_zero(word ^ ones * static_cast<unsigned char>(character)); };
  return ((word | (word - ones * ' ') | has('"') | has('\\') | has('\x7F')) & ones << 7U) == 0;
}

// The length of the longest prefix that is written unchanged: ASCII characters that need no escape.
std::size_t plain_beginning(std::string_view text) {
  std::size_t plain = 0;
  while (plain + sizeof(std::uint64_t) <= text.size() && are_plain(text.data() + plain)) plain += sizeof(std::uint64_t);
  while (plain < text.size() && text[plain] >= ' ' && text[plain] < '\x7F' && text[plain] != '"' && text[plain] != '\\') ++plain;
  return plain;
}

// Requires: one character, well-formed.
void append_character(std::string& out, std::string_view character) {
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  const std::size_t at = escaped.find(character.front());
  const char32_t point = code_point(character);
  if (at != std::string_view::npos)
    out += {'\\', letters[at]};
  else if (acts_on_terminal(point))  // none of them is above U+FFFF
    out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point));
  else
    out += character;
}

}  // namespace

void append_json_string(std::string_view text, std::string& out) {
  out += '"';
  while (true) {
    const std::size_t plain = plain_beginning(text);
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const std::size_t length = utf8_character_length(text);
    if (length == 0)
      out += kReplacementCharacter;
    else
      append_character(out, text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

JsonWriter& JsonWriter::begin(Scope scope, char bracket) {
  before_value();
  text_ += bracket;
  scopes_.push_back(scope);
  comma_due_ = false;
  return *this;
}

JsonWriter& JsonWriter::end(Scope scope, char bracket) {
  assert(!scopes_.empty() && scopes_.back() == scope && !key_given_);
  static_cast<void>(scope);
  text_ += bracket;
  scopes_.pop_back();
  comma_due_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!scopes_.empty() && scopes_.back() == Scope::object && !key_given_);
  if (comma_due_) text_ += ',';
  append_json_string(name, text_);
  text_ += ':';
  comma_due_ = false;
  key_given_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(text, text_);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  std::array<char, 32> written{};  // the longest double has 24 characters
  const auto end = fmt::format_to(written.data(), "{}", number);
  return literal({written.data(), static_cast<std::size_t>(std::distance(written.data(), end))});
}

JsonWriter& JsonWriter::literal(std::string_view text) {
  before_value();
  text_ += text;
  return *this;
}

std::string JsonWriter::take() {
  assert(scopes_.empty());
  comma_due_ = false;
  return std::exchange(text_, {});
}

void JsonWriter::before_value() {
  assert(scopes_.empty() ? text_.empty() : (scopes_.back() == Scope::object) == key_given_);
  if (comma_due_) text_ += ',';
  comma_due_ = true;
  key_given_ = false;
}

}  // namespace inkling
