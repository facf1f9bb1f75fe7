#include "io/doors/screen/word_chooser.hpp"

#include <doctest/doctest.h>

#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

using Kind = Key::Kind;
using Outcome = WordChooser::Outcome;

// The words of a pool: five, and a phrase. The document has the first four.
const std::vector<std::string> kWords = {"soil", "rose", "sort", "2", "tea", "new york"};

WordLookUp look_up() {
  return {[](std::string_view typed) -> std::optional<FeatureId> {
            for (std::size_t n = 0; n < kWords.size(); ++n)
              if (kWords[n] == typed) return static_cast<FeatureId>(n);
            return std::nullopt;
          },
          [](FeatureId feature) { return kWords.at(static_cast<std::size_t>(feature)); }};
}

WordChooser chooser(WordMarks marks = {}) {
  return WordChooser("Words", {{0, "soil", 0.5}, {1, "rose", 0.4}, {2, "sort", 0.3}, {3, "2", 0.1}}, std::move(marks), look_up());
}

void type(WordChooser& chooser, std::string_view text) {
  for (const char c : text) CHECK(chooser.press(Key::character(c)) == Outcome::pending);
}

WordMarks after_typing(std::string_view text) {
  WordChooser words = chooser();
  type(words, text);
  CHECK(words.press({Kind::enter}) == Outcome::pending);
  CHECK(words.problem().empty());
  CHECK(words.press({Kind::enter}) == Outcome::done);
  return words.marks();
}

std::string screen_of(const WordChooser& words) {
  const Page page = words.page({80, 24});
  std::string text;
  for (const auto* part : {&page.top, &page.body, &page.bottom})
    for (const StyledLine& line : *part) text += plain_text(line) + "\n";
  return text;
}

TEST_CASE("words are marked by typing them with a minus if they speak against") {
  CHECK(after_typing("rose") == WordMarks{{1, 1.0}});
  CHECK(after_typing("-rose") == WordMarks{{1, -1.0}});
  CHECK(after_typing("soil, -rose tea") == WordMarks{{0, 1.0}, {1, -1.0}, {4, 1.0}});
  CHECK(after_typing("new york") == WordMarks{{5, 1.0}});
  CHECK(after_typing("-new york") == WordMarks{{5, -1.0}});
}

TEST_CASE("a number picks from the list unless it is a word of the document") {
  CHECK(after_typing("3") == WordMarks{{2, 1.0}});
  CHECK(after_typing("-1") == WordMarks{{0, -1.0}});
  CHECK(after_typing("2") == WordMarks{{3, 1.0}});
}

TEST_CASE("the beginning of a word is enough, and Tab completes it") {
  CHECK(after_typing("so") == WordMarks{{0, 1.0}});
  CHECK(after_typing("SOR") == WordMarks{{2, 1.0}});
  CHECK(after_typing("-ro") == WordMarks{{1, -1.0}});
  WordChooser words = chooser();
  type(words, "-so");
  CHECK(words.press({Kind::down}) == Outcome::pending);
  CHECK(words.press({Kind::tab}) == Outcome::pending);
  CHECK(screen_of(words).find("Word: -sort_") != std::string::npos);
  CHECK(screen_of(words).find("rose") == std::string::npos);
}

TEST_CASE("arrows choose a word and space marks it for or against or not at all") {
  WordChooser words = chooser();
  (void)words.press({Kind::down});
  const std::vector<WordMarks> expected = {{{1, 1.0}}, {{1, -1.0}}, {}};
  for (const WordMarks& marks : expected) {
    (void)words.press(Key::character(' '));
    CHECK(words.marks() == marks);
  }
  for (int n = 0; n < 9; ++n) (void)words.press({Kind::down});
  (void)words.press(Key::character(' '));
  CHECK(words.marks() == WordMarks{{3, 1.0}});
  for (int n = 0; n < 9; ++n) (void)words.press({Kind::up});
  (void)words.press(Key::character(' '));
  CHECK(words.marks() == WordMarks{{0, 1.0}, {3, 1.0}});
}

TEST_CASE("a minus alone marks the word under the cursor against") {
  WordChooser words = chooser({{1, 1.0}});
  (void)words.press({Kind::down});
  type(words, "-");
  CHECK(words.press({Kind::enter}) == Outcome::pending);
  CHECK(words.problem().empty());
  CHECK(words.marks() == WordMarks{{1, -1.0}});
  CHECK(words.press({Kind::enter}) == Outcome::done);
}

TEST_CASE("an unknown word shows an error and marks nothing") {
  WordChooser words = chooser();
  type(words, "rsoe");
  CHECK(words.press({Kind::enter}) == Outcome::pending);
  test::check_holds(words.problem(), {"expected words of this pool", "did you mean rose?"});
  CHECK(words.marks().empty());
  for (int n = 0; n < 4; ++n) (void)words.press({Kind::backspace});
  CHECK(words.press({Kind::enter}) == Outcome::done);
  for (const char* wrong : {"soil xyzzy", "99", "--"}) {
    WordChooser other = chooser();
    type(other, wrong);
    (void)other.press({Kind::enter});
    CHECK_FALSE(other.problem().empty());
    CHECK(other.marks().empty());
  }
}

TEST_CASE("escape first drops what was typed, and then cancels") {
  WordChooser words = chooser({{2, 1.0}});
  type(words, "ro");
  CHECK(words.press({Kind::escape}) == Outcome::pending);
  CHECK(words.press({Kind::escape}) == Outcome::cancelled);
}

TEST_CASE("the list numbers the words and shows which are marked") {
  test::check_holds(screen_of(chooser({{1, -1.0}})), {">   1    soil  0.500\n", "    2  - rose  0.400\n", "Marked: -rose"});
}

TEST_CASE("pasted text cannot act on the terminal and letters of any language can be erased") {
  WordChooser words = chooser();
  (void)words.press({Kind::pasted, "\x1b[2Jé"});
  CHECK(screen_of(words).find("Word: \\x1B[2Jé_") != std::string::npos);
  (void)words.press({Kind::backspace});
  CHECK(screen_of(words).find("Word: \\x1B[2J_") != std::string::npos);
}

}  // namespace
}  // namespace inkling
