#include "io/corpus/text/flowed_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "engine/core/random_stream.hpp"

namespace inkling {
namespace {

// Wraps as an editor does: a line takes as many words as fit.
std::string as_flowed(std::string_view text, std::size_t columns) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > 0) lines += column + 1 + word.size() > columns ? '\n' : ' ';
    column = lines.empty() || lines.back() == '\n' ? word.size() : column + 1 + word.size();
    lines += word;
  }
  return lines;
}

TEST_CASE("a wrapped text is unwrapped whatever its words and its width") {
  RandomStream random(5, 0, RandomRole::pool);
  for (int round = 0; round < 300; ++round) {
    const std::size_t columns = 60 + random.below(30);
    std::string expected;
    std::string text;
    for (std::uint64_t paragraph = random.below(4) + 1; paragraph > 0; --paragraph) {
      std::string words = "Here";
      for (std::uint64_t left = random.below(80); left > 0; --left)
        words += " " + std::string(random.below(9) + 2, static_cast<char>('a' + random.below(26)));
      text += as_flowed(words, columns) + "\n\n";
      expected += words + "\n\n";
    }
    CAPTURE(text);
    CHECK(flowed_text(text) == expected);
  }
}

TEST_CASE("a text that is no wrapped prose stays as it is") {
  const std::string full(60, 'x');
  const std::string one = full + " and here it ends";
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("short\nlines\nof verse"), one + "\n- an item\n- another one",
        one + "\n2. an item", one + "\n\na paragraph", "> " + one + "\n> that was quoted",
        "From: somebody\nSubject: " + one + "\nOrganization: none", one + "\n    indented", "int a = " + full + ";\nint b;",
        "name  value\n" + full + "  12345678901\n" + full + "  3", "Dear reader,\n" + one, std::string(200, 'y') + "\nnext"})
    CHECK(flowed_text(text) == text);
}

TEST_CASE("line ends of two bytes become one blank") {
  const std::string full = std::string(60, 'x') + " wordier";
  CHECK(flowed_text(full + "\r\nnext words\r\n\r\nend") == full + "  next words\r\n\r\nend");
}

}  // namespace
}  // namespace inkling
