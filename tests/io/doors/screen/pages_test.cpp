// What each page shows, in small cases by hand.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/doors/screen/document_page.hpp"
#include "io/doors/screen/page.hpp"
#include "io/doors/screen/report_pages.hpp"
#include "io/doors/screen/word_chooser.hpp"
#include "tests/support/engine/messages.hpp"

namespace inkling {
namespace {

std::string text_of(const std::vector<StyledLine>& lines) {
  std::string text;
  for (const StyledLine& line : lines) text += plain_text(line) + "\n";
  return text;
}

std::string text_of(const Page& page) { return text_of(page.top) + text_of(page.body) + text_of(page.bottom); }

std::string name_of(FeatureId feature) {
  return std::vector<std::string>{"soil", "rose", "compost", "2020"}.at(static_cast<std::size_t>(feature));
}

Page numbered_page(std::size_t lines) {
  Page page = {.top = {{{"top"}}}};
  for (std::size_t n = 1; n <= lines; ++n) page.body.push_back({{std::to_string(n)}});
  page.bottom = {{{"bottom"}}};
  return page;
}

TEST_CASE("a screen shows a part of a long page and says which part") {
  const Page page = numbered_page(10);
  CHECK(body_rows(page, {40, 6}) == 3);
  const std::vector<StyledLine> lines = framed(page, {40, 6}, 2);
  REQUIRE(lines.size() == 6);
  CHECK(plain_text(lines[1]) == "3");
  CHECK(test::holds(plain_text(lines[4]), "lines 3 to 5 of 10, space for more"));
  CHECK(first_shown(page, {40, 6}, 99) == 7);
  CHECK_FALSE(test::holds(text_of(framed(page, {40, 6}, 7)), "goes on"));
  CHECK_FALSE(test::holds(text_of(framed(page, {40, 30}, 0)), "lines"));
}

TEST_CASE("the chosen line stays in view") {
  Page page = numbered_page(10);
  page.chosen = 5;
  CHECK(first_shown(page, {40, 6}, 0) == 3);
  CHECK(first_shown(page, {40, 6}, 7) == 5);
}

TEST_CASE("a screen has never more lines or columns than the terminal") {
  Page page = numbered_page(10);
  page.body[0] = {{std::string(200, 'x')}};
  for (std::size_t rows = 1; rows < 20; ++rows) {
    for (const std::size_t columns : {std::size_t{1}, std::size_t{5}, std::size_t{300}}) {
      const std::vector<StyledLine> lines = framed(page, {columns, rows}, 0);
      CHECK(lines.size() <= rows);
      for (const StyledLine& line : lines) CHECK(columns_of(plain_text(line)) <= columns);
    }
  }
}

TEST_CASE("the explanation of a key is not cut at the end of a line, and each line of a screen clears the old one") {
  CHECK(text_of(key_hints({"y yes", "n no", "q quit"}, 20)) == "y yes  n no  q quit\n");
  CHECK(text_of(key_hints({"y yes", "n no", "q quit"}, 18)) == "y yes  n no\nq quit\n");
  CHECK(frame_bytes({{{"a"}}, {{"b", Look::heading}}}, Styling::colours) == "\x1b[Ha\x1b[K\r\n\x1b[1mb\x1b[0m\x1b[K\x1b[J");
}

TEST_CASE("a document shows its number and why it is shown and its marked words") {
  DocumentFacts facts = {.document = 4'017,
                         .id = "garden\x1b-01",
                         .place = 17,
                         .offer = Offer{.document = 4'017, .explored = true},
                         .text = std::vector<StyledPiece>{{"Good "}, {"soil", Look::speaks_for}, {"."}},
                         .marks = {{"soil", Look::marked_for}}};
  CHECK(text_of(document_page(facts, {80, 24})) ==
        "Document 4,017: garden\\x1B-01\nthe 17th you read; drawn at random, to learn\n"
        "Marked: soil\n\nGood soil.\n");
  facts.offer->explored = false;
  facts.offer->mean = 0.42;
  facts.offer->width = 0.1;
  facts.offer->radius = 2.0;
  CHECK(test::holds(text_of(document_page(facts, {80, 24})), "the 17th you read\n"));
  facts.chance = 0.42;
  CHECK(test::holds(text_of(document_page(facts, {80, 24})), "the 17th you read; may be good\n"));
  facts.rating = 0.25;
  CHECK(test::holds(text_of(document_page(facts, {80, 24})), "you rated it 0.25\n"));
}

TEST_CASE("the fields of a record stand over its document and cannot act on the terminal") {
  DocumentFacts facts;
  facts.document = 7;
  facts.id = "r7";
  facts.head = {.title = "Gold\x1b[2J mines", .authors = "Ada; Bob", .year = "1999", .links = {"https://doi.org/10.1/x"}};
  facts.text = std::vector<StyledPiece>{{"Ounces."}};
  CHECK(text_of(document_page(facts, {80, 24})) ==
        "Gold\\x1B[2J mines\nAda; Bob, 1999\nhttps://doi.org/10.1/x\nDocument 7: r7\nthe 1st you read; "
        "opened by you\n\nOunces.\n");
  facts.head = {};
  facts.head.authors = "Ada";
  facts.title = {{"Gold", Look::speaks_for}, {" mines", Look::heading}};
  CHECK(text_of(document_page(facts, {80, 24})) ==
        "Gold mines\nAda\nDocument 7: r7\nthe 1st you read; opened by you\n\nOunces.\n");
}

TEST_CASE("a document without a text shows its words and says how to keep texts") {
  DocumentFacts facts = {.words = {{0, "soil", 0.5, Look::speaks_for}}};
  test::check_holds(text_of(document_page(facts, {80, 24})), {"inkling build --keep-text", "0.50000  soil\n"});
}

TEST_CASE("ordinals are those of English") {
  for (const auto& [number, text] : std::vector<std::pair<std::int64_t, std::string>>{{1, "1st"},
                                                                                      {2, "2nd"},
                                                                                      {3, "3rd"},
                                                                                      {4, "4th"},
                                                                                      {11, "11th"},
                                                                                      {12, "12th"},
                                                                                      {13, "13th"},
                                                                                      {21, "21st"},
                                                                                      {102, "102nd"},
                                                                                      {111, "111th"},
                                                                                      {1'003, "1,003rd"}})
    CHECK(ordinal(number) == text);
}

TEST_CASE("a word has the colour of what was learned of it and is bold if it was marked") {
  CHECK(look_of(0.0, 0.0) == Look::plain);
  CHECK(look_of(0.1, 0.0) == Look::speaks_for);
  CHECK(look_of(-0.1, 0.0) == Look::speaks_against);
  CHECK(look_of(0.0, -1.0) == Look::marked_against);
  CHECK(look_of(-0.1, 1.0) == Look::marked_against);
  CHECK(look_of(0.1, 1.0) == Look::marked_for);
}

TEST_CASE("known words of a text are tinted and known phrases as a whole") {
  const std::vector<TextRun> runs = {{"New", 5, {{9, 3}}}, {" ", {}, {}}, {"York", 6, {}}, {" soil", 0, {}}};
  const auto looks = [](FeatureId feature) {
    return feature == 9 ? Look::speaks_for : feature == 6 ? Look::marked_against : Look::plain;
  };
  CHECK(tinted_text(runs, looks) ==
        std::vector<StyledPiece>{
            {"New", Look::speaks_for}, {" ", Look::speaks_for}, {"York", Look::marked_against}, {" soil", Look::plain}});
}

TEST_CASE("the page of reasons has a bar for each word as long as its part of the score") {
  Why why = {.mean = 0.3,
             .width = 0.1,
             .radius = 1.0,
             .chance = 0.3,
             .parts = {{0, 1.0, 0.4, 0.4, 0.0, 0.0}, {1, 1.0, -0.1, -0.1, 0.0, 1.0}}};
  const std::string shown = text_of(why_page("Document 7", {why}, name_of, {80, 24}));
  test::check_holds(shown, {"Why this one: Document 7\nIt may be good. Its words:",
                            "  soil                +0.400 ± 0.000  ████████████████████████\n",
                            "  rose                -0.100 ± 0.100  ██████──────\n"});
  why.explored = true;
  CHECK(test::holds(text_of(why_page("Document 7", {why}, name_of, {80, 24})), "It was drawn at random, to learn."));
  why.parts.clear();
  CHECK(test::holds(text_of(why_page("Document 7", {why}, name_of, {80, 24})), "It has no word that the search knows."));
}

TEST_CASE("the page of learned words shows weights and their errors and which words were marked") {
  const Page page = learned_page({{0, 0.5, 0.25, SaidWord{.feature = 0}}, {1, -0.25, 0.0}}, 1, name_of, {80, 24});
  CHECK(plain_text(page.body[0]) == " *soil                +0.500 ± 0.250  ████████████████────────");
  CHECK(plain_text(page.body[1]) == "> rose                -0.250 ± 0.000  ████████");
  CHECK(page.chosen == 1);
}

TEST_CASE("the estimate of what is left never stands without its bound and its basis") {
  SearchProgress progress = {.documents = 9'983, .rated = 183, .left = {120.4, 340, 0.95, 18}, .good_draws = 2};
  CHECK(estimate_sentence(progress) ==
        "Of 18 documents drawn at random 2 were good: at most 340 of the 9,800 unread ones are good (95 %), about 120.");
  progress.left = {120.4, 340, 0.95, 1};
  progress.good_draws = 1;
  CHECK(estimate_sentence(progress).starts_with("Of 1 document drawn at random 1 was good: at most 340"));
  progress.left = {9'800.0, 9'800, 0.95, 0};
  CHECK(estimate_sentence(progress) ==
        "No document was drawn at random and rated yet, so nothing is known of the 9,800 unread ones: at most 9,800 "
        "of them are good.");
  progress.rated = 9'983;
  CHECK(estimate_sentence(progress) == "No document is unread.");
}

TEST_CASE("the page of progress shows what was read and what is left and how to get a better estimate") {
  ProgressAnswer answer;
  answer.progress.documents = 20;
  answer.progress.rated = 3;
  answer.progress.good = 1;
  answer.progress.left = {17.0, 17, 0.95, 0};
  answer.progress.lately = 3;
  answer.progress.good_lately = 1;
  answer.progress.without_good = 2;
  answer.prices = {{5, 12}, {1, 15}};
  answer.ratings = {{1.0, 1}, {0.25, 1}, {0.0, 1}};
  const std::string shown = text_of(progress_page(answer, {}, {80, 24}));
  test::check_holds(shown,
                    {"You read 3 of 20 documents and found 1 good one (rated 0.5 or more).\n", "The last ratings: 1 0.25 0\n",
                     "Of the last 3 1 were good; 2 since the last good one.", "A guess of what is left\nNot known yet:",
                     "What is certain\nNo document was drawn", "At most 5 left: 12 more draws, all bad; at most 1: 15.",
                     "What a rule is worth\nStopped after 50 bad ones in a row, 95 % were found in\n", "a draws a sample"});
  answer.guess = {3.4, 60};
  CHECK(test::holds(text_of(progress_page(answer, {}, {80, 24})), "The model takes about 3 of the unread ones to be good."));
  answer.progress.sample_left = 4;
  CHECK(test::holds(text_of(progress_page(answer, {}, {80, 24})), "The next 4 documents are drawn at random, as you asked."));
  answer.progress.sample_left = 1;
  CHECK(test::holds(text_of(progress_page(answer, {}, {80, 24})), "The next document is drawn at random, as you asked."));
}

TEST_CASE("the page of found documents shows the beginning of each text with control characters made visible") {
  const Page page = list_page(kListPages[0], {{0.75, "Document 3", "a\x1b[2J"}}, 0, {80, 24});
  CHECK(plain_text(page.body[0]) == "> 0.75  Document 3  a\\x1B[2J");
}

}  // namespace
}  // namespace inkling
