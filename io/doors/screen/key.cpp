#include "io/doors/screen/key.hpp"

#include <algorithm>
#include <cstddef>

#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kPasteBegins = "\x1b[200~";
constexpr std::string_view kPasteEnds = "\x1b[201~";

struct KeySequence {
  std::string_view bytes;  // after the escape
  Key::Kind kind;
};
constexpr KeySequence kKeySequences[] = {
    {"[A", Key::Kind::up},       {"OA", Key::Kind::up},         {"[B", Key::Kind::down},   {"OB", Key::Kind::down},
    {"[C", Key::Kind::right},    {"OC", Key::Kind::right},      {"[D", Key::Kind::left},   {"OD", Key::Kind::left},
    {"[H", Key::Kind::home},     {"OH", Key::Kind::home},       {"[1~", Key::Kind::home},  {"[7~", Key::Kind::home},
    {"[F", Key::Kind::end},      {"OF", Key::Kind::end},        {"[4~", Key::Kind::end},   {"[8~", Key::Kind::end},
    {"[5~", Key::Kind::page_up}, {"[6~", Key::Kind::page_down}, {"[3~", Key::Kind::remove}};

Key::Kind kind_of_control(char c) {
  switch (c) {
    case '\r':
    case '\n': return Key::Kind::enter;
    case '\t': return Key::Kind::tab;
    case '\x08':
    case '\x7f': return Key::Kind::backspace;
    case '\x0c': return Key::Kind::redraw;
    case '\x04': return Key::Kind::end_of_input;
    default: return Key::Kind::other;
  }
}

// The length of a character by its first byte; 1 for what begins none.
std::size_t length_promised(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte >= 0xF8U) return 1;
  if (byte >= 0xF0U) return 4;
  if (byte >= 0xE0U) return 3;
  return byte >= 0xC0U ? 2 : 1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// The length of an escape sequence with its escape, or 0 where its end is not there yet.
std::size_t sequence_length(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] == 'O') return bytes.size() < 3 ? 0 : 3;
  if (bytes[1] != '[') return 2;
  const auto last = std::ranges::find_if(bytes.substr(2), [](char c) { return c >= '@' && c <= '~'; });
  const auto at = static_cast<std::size_t>(last - bytes.substr(2).begin()) + 2;
  return at < bytes.size() ? at + 1 : 0;
}

}  // namespace

bool KeyDecoder::is_pasting() const { return bytes_.starts_with(kPasteBegins); }

std::string KeyDecoder::take_bytes(std::size_t count) {
  std::string taken = bytes_.substr(0, count);
  bytes_.erase(0, count);
  return taken;
}

std::optional<Key> KeyDecoder::take() {
  if (bytes_.empty()) return std::nullopt;
  if (is_pasting()) return take_paste();
  if (bytes_.front() == kEscape) return take_sequence();
  if (is_control(bytes_.front())) return Key{kind_of_control(take_bytes(1).front())};
  const std::size_t length = length_promised(bytes_.front());
  if (bytes_.size() < length) return std::nullopt;
  if (utf8_character_length(bytes_) != length) {
    (void)take_bytes(1);
    return Key{};
  }
  return Key{Key::Kind::character, take_bytes(length)};
}

std::optional<Key> KeyDecoder::take_unfinished() {
  if (!is_unfinished()) return std::nullopt;
  const bool is_escape = bytes_.size() == 1 && bytes_.front() == kEscape;
  bytes_.clear();
  return Key{is_escape ? Key::Kind::escape : Key::Kind::other};
}

std::optional<Key> KeyDecoder::take_sequence() {
  if (bytes_.starts_with("\x1b\x1b")) {  // an escape, and whatever comes after it
    (void)take_bytes(1);
    return Key{Key::Kind::escape};
  }
  const std::size_t length = sequence_length(bytes_);
  if (length == 0) return std::nullopt;
  const std::string sequence = take_bytes(length);
  const auto* known = std::ranges::find(kKeySequences, std::string_view(sequence).substr(1), &KeySequence::bytes);
  return Key{known == std::end(kKeySequences) ? Key::Kind::other : known->kind};
}

std::optional<Key> KeyDecoder::take_paste() {
  const std::size_t end = bytes_.find(kPasteEnds);
  if (end == std::string::npos) return std::nullopt;
  const std::string all = take_bytes(end + kPasteEnds.size());
  return Key{Key::Kind::pasted, all.substr(kPasteBegins.size(), end - kPasteBegins.size())};
}

}  // namespace inkling
