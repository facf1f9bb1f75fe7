#include "io/doors/screen/key.hpp"

#include <vector>

#include <doctest/doctest.h>

namespace inkling {
namespace {

std::vector<Key> keys_of(KeyDecoder& decoder) {
  std::vector<Key> keys;
  while (std::optional<Key> key = decoder.take()) keys.push_back(*key);
  return keys;
}

std::vector<Key> keys_of(const std::string& bytes) {
  KeyDecoder decoder;
  decoder.feed(bytes);
  return keys_of(decoder);
}

using Kind = Key::Kind;

TEST_CASE("letters, controls and the keys with names come out one by one") {
  CHECK(
      keys_of("y\r\t\x7f\x0c\x04") ==
      std::vector<Key>{Key::character('y'), {Kind::enter}, {Kind::tab}, {Kind::backspace}, {Kind::redraw}, {Kind::end_of_input}});
  CHECK(
      keys_of("\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[3~\x1b[H\x1b[4~") ==
      std::vector<Key>{{Kind::up}, {Kind::down}, {Kind::page_up}, {Kind::page_down}, {Kind::remove}, {Kind::home}, {Kind::end}});
  CHECK(keys_of("ä本") == std::vector<Key>{{Kind::character, "ä"}, {Kind::character, "本"}});
}

TEST_CASE("a key that the terminal sends in pieces is one key, wherever it is cut") {
  const std::string all = "y\x1b[5~\xE6\x9C\xAC\x1b[200~a\x1b[A\x1b[201~n";
  const std::vector<Key> whole = keys_of(all);
  CHECK(whole.size() == 5);
  for (std::size_t cut = 0; cut <= all.size(); ++cut) {
    KeyDecoder decoder;
    decoder.feed(all.substr(0, cut));
    std::vector<Key> keys = keys_of(decoder);
    decoder.feed(all.substr(cut));
    for (const Key& key : keys_of(decoder)) keys.push_back(key);
    CHECK(keys == whole);
  }
}

TEST_CASE("an escape is a key if nothing follows it in time") {
  KeyDecoder decoder;
  decoder.feed("\x1b");
  CHECK_FALSE(decoder.take());
  CHECK(decoder.is_unfinished());
  CHECK(decoder.take_unfinished() == Key{Kind::escape});
  CHECK_FALSE(decoder.is_unfinished());
  decoder.feed("\x1b[5");
  CHECK_FALSE(decoder.take());
  CHECK(decoder.take_unfinished() == Key{Kind::other});
  CHECK(keys_of("\x1b\x1b[A") == std::vector<Key>{{Kind::escape}, {Kind::up}});
}

TEST_CASE("no letter of pasted text or of an unknown key counts as a key, and keys typed ahead can be dropped") {
  const std::vector<Key> pasted = keys_of("\x1b[200~yn\r\x1b[A\x1b[201~");
  REQUIRE(pasted.size() == 1);
  CHECK(pasted[0] == Key{Kind::pasted, "yn\r\x1b[A"});
  for (const char* unknown : {"\x1b[1;5C", "\x1by", "\x1b[99~", "\x1bOz", "\x01", "\xFF", "\x80"})
    CHECK(keys_of(unknown) == std::vector<Key>{{Kind::other}});

  KeyDecoder decoder;
  decoder.feed("yyy");
  CHECK(decoder.take() == Key::character('y'));
  decoder.drop();
  CHECK_FALSE(decoder.take());
}

}  // namespace
}  // namespace inkling
