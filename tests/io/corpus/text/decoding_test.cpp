#include "io/corpus/text/decoding.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/base/file/utf8.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/engine/test_pool.hpp"
#include "tests/support/io/bad_input_tables.hpp"

namespace inkling {
namespace {

using test::between, test::broken_texts, test::BrokenText;

struct Replaced {
  std::string text;
  std::int64_t bad = 0;
  bool operator==(const Replaced&) const = default;
};

Replaced replaced(std::string_view bytes) {
  PaddedText out;
  const std::int64_t bad = append_replaced(bytes, out);
  return {std::string(out.view()), bad};
}

// The plain encoding of a character by the definition of UTF-8.
std::string encoded(unsigned character) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xC0 | (character >> 6U)), byte(0x80 | (character & 0x3FU))};
  if (character < 0x10000)
    return {byte(0xE0 | (character >> 12U)), byte(0x80 | ((character >> 6U) & 0x3FU)), byte(0x80 | (character & 0x3FU))};
  return {byte(0xF0 | (character >> 18U)), byte(0x80 | ((character >> 12U) & 0x3FU)), byte(0x80 | ((character >> 6U) & 0x3FU)),
          byte(0x80 | (character & 0x3FU))};
}

// All well-formed characters as a tree of bytes. Bytes that follow a path of the tree are the beginning of a character.
class CharacterTree {
 public:
  CharacterTree() : nodes_(1) {
    for (unsigned character = 0; character < 0x110000; ++character)
      if (character < 0xD800 || character > 0xDFFF) add(encoded(character));
  }

  // The plain twin of append_replaced: follows a path as far as it goes. Bytes that do not reach its end become one replacement.
  [[nodiscard]] Replaced replace(std::string_view bytes) const {
    Replaced result;
    while (!bytes.empty()) {
      std::uint32_t at = root;
      std::size_t length = 0;
      while (length < bytes.size() && at != whole && child(at, bytes[length]) != nowhere) at = child(at, bytes[length++]);
      length = std::max<std::size_t>(length, 1);
      if (at == whole) {
        result.text += bytes.substr(0, length);
      } else {
        result.text += kReplacementCharacter;
        result.bad += static_cast<std::int64_t>(length);
      }
      bytes.remove_prefix(length);
    }
    return result;
  }

 private:
  static constexpr std::uint32_t nowhere = 0;
  static constexpr std::uint32_t root = 0;  // nothing leads back to it
  static constexpr std::uint32_t whole = ~0U;

  [[nodiscard]] std::uint32_t child(std::uint32_t node, char byte) const {
    return nodes_[node][static_cast<unsigned char>(byte)];
  }
  void add(const std::string& character) {
    std::uint32_t node = root;
    for (std::size_t i = 0; i < character.size(); ++i) {
      const auto byte = static_cast<unsigned char>(character[i]);
      if (i + 1 == character.size()) {
        nodes_[node][byte] = whole;
      } else if (nodes_[node][byte] == nowhere) {
        nodes_[node][byte] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
      }
      node = nodes_[node][byte];
    }
  }

  std::vector<std::array<std::uint32_t, 256>> nodes_;
};

TEST_CASE("broken UTF-8 becomes what the table says") {
  for (const BrokenText& broken : broken_texts) {
    CAPTURE(std::string(broken.replaced));
    CHECK(replaced(broken.bytes) == Replaced{std::string(broken.replaced), broken.bad});
  }
}

TEST_CASE("every string of at most two bytes and many longer ones are decoded as by the plain twin") {
  const CharacterTree twin;
  std::int64_t different = 0;
  const auto compare = [&](const std::string& bytes) {
    const Replaced expected = twin.replace(bytes);
    if (replaced(bytes) != expected) ++different;
    if ((valid_utf8_prefix(bytes) == bytes.size()) != (expected.bad == 0)) ++different;
    if (is_decoded(bytes, TextEncoding::utf8) != (expected.bad == 0)) ++different;
  };
  compare("");
  for (unsigned a = 0; a < 256; ++a) {
    compare({static_cast<char>(a)});
    for (unsigned b = 0; b < 256; ++b) compare({static_cast<char>(a), static_cast<char>(b)});
  }
  // All combinations of three and four bytes at the borders of every rule.
  const std::string borders = "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xED\xEE\xEF\xF0\xF1\xF4\xF5\xFF";
  for (const char a : borders) {
    for (const char b : borders) {
      for (const char c : borders) {
        compare({a, b, c});
        for (const char d : borders) compare({a, b, c, d});
      }
    }
  }
  CHECK(different == 0);
}

TEST_CASE("random bytes around blocks of eight are decoded as by the plain twin") {
  const CharacterTree twin;
  test::each_case(20, 300, [&](RandomStream& random) {
    std::string bytes;
    while (bytes.size() < 100) {
      if (random.coin(0.7))
        bytes += std::string(static_cast<std::size_t>(between(1, 20, random)), 'x');
      else
        bytes += static_cast<char>(between(0x80, 0xFF, random));
      if (random.coin(0.2)) bytes += "é€😀";
    }
    CHECK(replaced(bytes) == twin.replace(bytes));
    CHECK(valid_utf8_prefix(replaced(bytes).text) == replaced(bytes).text.size());
  });
}

TEST_CASE("a single byte that is not ASCII is seen at any place") {
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes(size, 'a');
    CHECK(is_ascii(bytes));
    for (std::size_t at = 0; at < size; ++at) {
      bytes[at] = '\x80';
      if (is_ascii(bytes)) FAIL("not seen at ", at, " of ", size);
      bytes[at] = 'a';
    }
  }
}

TEST_CASE("each byte of Latin-1 is the character of its number") {
  std::string bytes;
  std::string expected;
  for (unsigned byte = 0; byte < 256; ++byte) {
    bytes += static_cast<char>(byte);
    expected += encoded(byte);
  }
  PaddedText out("before ");
  append_latin1(bytes, out);
  CHECK(out.view() == "before " + expected);
}

TEST_CASE("a decoder leaves valid text as it is and replaces or refuses the rest") {
  PaddedText scratch;
  TextDecoder clean("abc\ndef", TextEncoding::utf8, BadBytes::refuse);
  const std::string_view text = "abc";
  CHECK(clean.decode(text, scratch)->data() == text.data());

  TextDecoder replacing("abc\nd\xFF", TextEncoding::utf8, BadBytes::replace);
  CHECK(replacing.decode(text, scratch)->data() == text.data());
  CHECK(replacing.decode("d\xFF", scratch) == "d\xEF\xBF\xBD");
  CHECK(replacing.replaced() == 1);

  TextDecoder refusing("abc\nd\xFF", TextEncoding::utf8, BadBytes::refuse);
  CHECK(refusing.decode("d\xFF", scratch) == std::nullopt);
  CHECK(refusing.bad_at() == 1);

  TextDecoder latin1("caf\xE9", TextEncoding::latin1, BadBytes::refuse);
  CHECK(latin1.decode("caf\xE9", scratch) == "café");
}

TEST_CASE("a padded text always ends in zeros") {
  const auto zeros_follow = [](const PaddedText& text) {
    const std::string_view view = text.view();
    return std::string_view(view.data() + view.size(), kTextPadding) == std::string(kTextPadding, '\0');
  };
  PaddedText text;
  CHECK(zeros_follow(text));
  text.append("some words");
  CHECK(zeros_follow(text));
  text.truncate(4);
  CHECK(text.view() == "some");
  CHECK(zeros_follow(text));
  std::string(1000, 'x').copy(text.extend(1000), 1000);
  CHECK(zeros_follow(text));
  PaddedText moved = std::move(text);
  CHECK(moved.size() == 1004);
  text = PaddedText("new");
  CHECK(text.view() == "new");
  text.clear();
  CHECK(text.view().empty());
  CHECK(zeros_follow(text));
}

TEST_CASE("Windows-1252 is Latin-1 except for characters of its own and five undefined bytes") {
  PaddedText out;
  CHECK(append_cp1252("caf\xE9 \x93q\x94 \x80 \x81.", out) == 1);
  CHECK(out.view() == "caf\u00E9 \u201Cq\u201D \u20AC \uFFFD.");
  std::int64_t bad = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    CHECK((valid_cp1252_prefix(text) == 1) == (append_cp1252(text, out) == 0));
    bad += append_cp1252(text, out);
  }
  CHECK(bad == 5);
  CHECK(valid_utf8_prefix(out.view()) == out.size());
}

TEST_CASE("a decoder of Windows-1252 replaces and counts undefined bytes or refuses them") {
  const std::string text = "a\x92s \x8D";
  PaddedText scratch;
  TextDecoder replacing(text, TextEncoding::cp1252, BadBytes::replace);
  CHECK(replacing.decode(text, scratch) == "a\u2019s \uFFFD");
  CHECK(replacing.replaced() == 1);
  TextDecoder refusing(text, TextEncoding::cp1252, BadBytes::refuse);
  CHECK_FALSE(refusing.decode(text, scratch));
  CHECK(refusing.bad_at() == 4);
  CHECK(refusing.decode("plain", scratch) == "plain");
}

}  // namespace
}  // namespace inkling
