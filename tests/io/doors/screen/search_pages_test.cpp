// Which key does what, and what is shown then, on a pool of six short texts.
#include "io/doors/screen/search_pages.hpp"

#include <algorithm>
#include <cerrno>
#include <set>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "engine/policy/presets.hpp"
#include "io/corpus/from_text/text_recipe.hpp"
#include "io/search/score/event_scope.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using Kind = Key::Kind;

test::SmallPool gardens() {
  test::SmallPool pool;
  pool.columns = 4;
  pool.vocabulary = {{"compost", "rose", "soil", "tea"}};
  pool.rows = {{{0, 0.6F}, {2, 0.8F}}, {{1, 1.0F}}, {{2, 1.0F}},
               {{1, 0.6F}, {3, 0.8F}}, {{3, 1.0F}}, {{0, 0.5F}, {1, 0.5F}, {2, 0.5F}, {3, 0.5F}}};
  pool.ids = {{"a", "b", "c", "d", "e", "f"}};
  pool.texts = {{"Compost on Soil", "A rose", "Soil.", "Rose tea", "Tea\x1b[2J", "compost rose soil tea"}};
  pool.recipe = R"({"source":"test","text":)" + recipe_json(TextRecipe{}) + "}";
  return pool;
}

// A search on a screen, in which keeping events can be made to fail.
struct OnScreen {
  explicit OnScreen(const test::SmallPool& small = gardens()) {
    test::write_pool(small, folder.file("pool"));
    const std::vector<std::string> paths = {folder.file("pool")};
    pools.emplace(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
    scope = event_scope_of(*pools);
    const auto& pool = dynamic_cast<const Pool&>(pools->member(0));
    searcher.emplace(pool.view(), SearchSettings{.preset = *find_preset("ff-oful"), .seed = 3}, std::span<const SearchEvent>(),
                     [this](std::span<const SearchEvent> events) {
                       if (disk_is_full) throw SystemError("search.db", ENOSPC, "keeping an answer");
                       kept += events.size();
                     });
    shown_pool.emplace(pool, scope);
    service.emplace(*searcher, *shown_pool);
    pages.emplace(*service, "");
  }

  void press(std::string_view keys) {
    for (const char key : keys) pages->press(key == '\r' ? Key{Kind::enter} : Key::character(key));
  }
  void press(Kind kind) { pages->press(Key{kind}); }
  [[nodiscard]] std::string shown(PageSize size = {80, 24}) {
    std::string text;
    for (const StyledLine& line : pages->screen(size)) text += plain_text(line) + "\n";
    return text;
  }
  [[nodiscard]] bool shows(const std::string& part) { return shown().find(part) != std::string::npos; }
  // Whether the screen shows this sentence, wherever it is cut into lines.
  [[nodiscard]] bool says(const std::string& sentence) {
    std::string text = shown();
    std::ranges::replace(text, '\n', ' ');
    return text.find(sentence) != std::string::npos;
  }
  // Whether this word of the text has this look now.
  [[nodiscard]] bool looks(const std::string& word, Look look) {
    bool found = false;
    for (const StyledLine& line : pages->screen({80, 24}))
      for (const StyledPiece& piece : line) found = found || piece == StyledPiece{word, look};
    return found;
  }
  [[nodiscard]] std::vector<SearchStep> rounds() const { return searcher->history().steps(); }

  test::TemporaryFolder folder;
  std::optional<PoolSet> pools;
  EventScope scope;
  bool disk_is_full = false;
  std::size_t kept = 0;
  std::optional<Searcher> searcher;
  std::optional<ShownPool> shown_pool;
  std::optional<SearchService> service;
  std::optional<SearchPages> pages;
};

struct Screened {
  OnScreen on;
};

TEST_CASE_FIXTURE(Screened, "one key rates a document and shows the next one") {
  const std::vector<std::pair<char, double>> keys = {{'y', 1.0}, {'n', 0.0}, {'1', 0.0}, {'2', 0.25}, {'3', 0.5}, {'4', 0.75}};
  std::set<DocumentId> seen;
  for (const auto& [key, rating] : keys) {
    const DocumentId document = *on.pages->document();
    CHECK(seen.insert(document).second);
    on.press(std::string(1, key));
    REQUIRE(on.rounds().size() == seen.size());
    CHECK(on.rounds().back().document == document);
    CHECK(on.rounds().back().reward == rating);
    CHECK(on.shows("Kept the rating"));
  }
  CHECK_FALSE(on.pages->document());
  CHECK(on.shows("Every document is rated."));
  on.press("5");
  CHECK(on.rounds().size() == 6);
  on.press("u");
  CHECK(on.rounds().size() == 5);
  on.press("5");
  CHECK(on.rounds().back().reward == 1.0);
}

TEST_CASE_FIXTURE(Screened, "in a shared search a key hands the document on and it comes back if nothing else is left") {
  static_cast<void>(on.searcher->aim({.shared = {"bob"}}));
  on.pages.emplace(*on.service, "");
  const DocumentId first = *on.pages->document();
  on.press("g");
  CHECK(on.shows("Kept"));
  CHECK(std::ranges::any_of(on.searcher->history().events(), &SearchEvent::hand_on));
  std::set<DocumentId> others;
  for (int n = 0; n < 5; ++n) {
    others.insert(*on.pages->document());
    on.press("y");
  }
  CHECK(others.size() == 5);
  CHECK_FALSE(others.contains(first));
  CHECK(on.pages->document() == first);
  on.press("/0\r");
  on.press("g0\r");  // on a document that was opened by its number g opens another one
  CHECK(on.pages->document() == 0);
}

TEST_CASE_FIXTURE(Screened, "marked words are tinted at once and are kept and taken back with the rating") {
  on.press("gf\r");
  CHECK(on.shows("Document 5: f"));
  CHECK(on.shows("opened by you"));
  on.press("w-tea\rsoil\r\r");
  CHECK(on.looks("soil", Look::marked_for));
  CHECK(on.looks("tea", Look::marked_against));
  CHECK(on.looks("compost rose ", Look::plain));
  CHECK(on.shows("Marked: soil -tea"));
  CHECK(on.rounds().empty());
  on.press("y");
  REQUIRE(on.rounds().size() == 1);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2}, {3, -1.0}});
  CHECK(on.shows("Kept the rating 1 of document 5 (soil, -tea). u takes it back."));
  on.press("g0\r");
  CHECK(on.looks("Soil", Look::marked_for));
  on.press("u");
  CHECK(on.rounds().empty());
  CHECK(on.shows("Took back the rating 1 of document 5 (soil, -tea). r brings it back."));
  on.press("r");
  CHECK(on.rounds().size() == 1);
  CHECK(on.shows("Brought back the rating 1 of document 5"));
  on.press("r");
  CHECK(on.shows("nothing to bring back"));
}

TEST_CASE_FIXTURE(Screened, "undo first takes back marked words that are not kept yet") {
  on.press("y");
  on.press("w1\r\r");
  CHECK(on.shows("Marked: "));
  on.press("u");
  CHECK_FALSE(on.shows("Marked: "));
  CHECK(on.rounds().size() == 1);
  on.press("u");
  CHECK(on.rounds().empty());
  on.press("u");
  CHECK(on.shows("nothing to take back"));
}

TEST_CASE_FIXTURE(Screened, "words of the document rated last can be marked and unmarked") {
  on.press("W");
  CHECK(on.shows("No document is rated yet"));
  on.press("gf\r4");
  on.press("Wrose\rtea\r\r");
  REQUIRE(on.rounds().size() == 1);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{1}, {3}});
  CHECK(on.rounds()[0].reward == 0.75);
  on.press("W");
  on.press("-rose\r\r");
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{1, -1.0}, {3}});
  on.press("W");
  on.press("  \r");  // two steps on for the first word of the list
  CHECK(on.rounds().size() == 1);
  const std::size_t kept = on.kept;
  on.press("W\r");
  CHECK(on.kept == kept);
}

TEST_CASE("the first good document asks for its words once and every fourth of twenty bad ones in a row for words to look for") {
  test::SmallPool many = gardens();
  const test::SmallPool once = gardens();
  for (int times = 0; times < 3; ++times) {
    many.rows.insert(many.rows.end(), once.rows.begin(), once.rows.end());
    many.texts->insert(many.texts->end(), once.texts->begin(), once.texts->end());
  }
  for (std::size_t n = 6; n < many.rows.size(); ++n) many.ids->push_back("more" + std::to_string(n));
  OnScreen on(many);
  const std::string asks_for_words = "W says which of its words made it good.";
  const std::string asks_for_more = "Several in a row were not it: k takes two more words";
  on.press("y");
  CHECK(on.says(asks_for_words));
  on.press("y");
  CHECK_FALSE(on.says(asks_for_words));
  for (int bad = 1; bad <= 22; ++bad) {
    on.press("n");
    CHECK(on.says(asks_for_more) == (bad % 4 == 0 && bad <= 20));
  }
  on.press("u");
  on.press("y");
  CHECK_FALSE(on.says(asks_for_more));
  on.press("mA note\r");
  CHECK(on.searcher->history().events().back().note == "A note");
}

TEST_CASE_FIXTURE(Screened, "a document keeps its marked words when it is rated again") {
  on.press("g0\rwsoil\r\ry");
  on.press("g0\r");
  CHECK(on.shows("you rated it 1"));
  CHECK(on.shows("Marked: soil"));
  on.press("n");
  REQUIRE(on.rounds().size() == 1);
  CHECK(on.rounds()[0].reward == 0.0);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2}});
}

TEST_CASE_FIXTURE(Screened, "a learned word can be taken back and brought back") {
  on.press("g0\rwsoil\r\ry");
  on.press("l");
  CHECK(on.shows(">*soil"));
  on.press("x");
  CHECK(on.rounds()[0].words.empty());
  CHECK(on.shows("Kept that soil was not meant."));
  on.press("u");
  CHECK(on.rounds()[0].words.size() == 1);
}

TEST_CASE_FIXTURE(Screened, "a skipped document is kept as such and the page of progress counts it") {
  const DocumentId first = *on.pages->document();
  on.press("s");
  CHECK(on.pages->document() != first);
  CHECK(on.shows("for later"));
  on.press("p");
  CHECK(on.shows("1 put off for later."));
  CHECK(on.shows("at most 6 of them are good"));
}

TEST_CASE_FIXTURE(Screened, "a sample of more documents than there are is refused with how many may be drawn") {
  for (const char* const typed : {"a1000000\r", "a7\r", "a0\r"}) {
    on.press(typed);
    CHECK(on.says("Expected how many documents are to be drawn, from 1 to 6."));
    CHECK(on.searcher->progress().sample_left == 0);
    on.press(Kind::escape);
  }
  on.press("a\r");
  CHECK(on.searcher->progress().sample_left == 6);
}

TEST_CASE_FIXTURE(Screened, "a sample is drawn at random, and the estimate rests on it") {
  on.press("a3\r");
  CHECK(on.searcher->progress().sample_left == 3);
  for (int n = 0; n < 3; ++n) {
    CHECK(on.shows("drawn at random, to learn"));
    on.press("y");
  }
  CHECK(on.searcher->progress().sample_left == 0);
  on.press("p");
  CHECK(on.says("Of 3 documents drawn at random 3 were good: at most 3 of the 3 unread ones are good (95 %)"));
  on.press("ax\r");
  CHECK(on.shows("Expected how many documents"));
  on.press(Kind::escape);
  CHECK_FALSE(on.pages->is_typing());
}

TEST_CASE_FIXTURE(Screened, "k takes words to look for apart from any document and they can be taken back") {
  const DocumentId before = *on.pages->document();
  on.press("ksoil\r-tea\r\r");
  REQUIRE(on.rounds().size() == 1);
  CHECK(on.rounds()[0].kind == StepKind::words);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2, 1.0}, {3, -1.0}});
  CHECK(on.says("Kept what to look for (soil, -tea). u takes it back."));
  CHECK(on.shows("Looking for: soil, -tea"));
  on.press("e");
  CHECK(on.shows("Why this one"));
  on.press(Kind::escape);
  on.press("u");
  CHECK(on.rounds().empty());
  CHECK(on.pages->document() == before);
  CHECK_FALSE(on.shows("Looking for"));
  on.press("r");
  CHECK(on.shows("Looking for: soil, -tea"));
  on.press("krose\r\r");
  CHECK(on.shows("Looking for: rose, soil, -tea"));
  on.press("k-soil\r\r");
  CHECK(on.shows("Looking for: rose, -soil, -tea"));
  on.press("k");
  on.press(Kind::escape);
  CHECK(on.shows("Looking for: rose, -soil, -tea"));
}

TEST_CASE_FIXTURE(Screened, "words to look for are tinted and shown as a reason and a removed one is forgotten") {
  on.press("ksoil\r\r");
  on.press("g0\r");
  CHECK(on.looks("Soil", Look::marked_for));
  on.press("e");
  CHECK(on.says("It holds soil, which you liked."));
  on.press(Kind::escape);
  on.press("k ");   // the word under the cursor now speaks against
  on.press(" \r");  // and now it is no longer rated
  CHECK(on.says("Kept that soil was not meant."));
  CHECK(on.rounds().empty());
}

TEST_CASE_FIXTURE(Screened, "a key rates the word under the cursor in the list of what was learned") {
  on.press("g5\rwsoil\rtea\r\ry");
  on.press("l-");
  REQUIRE(on.rounds().size() == 2);
  const std::vector<SaidWord> against = on.rounds()[1].words;
  REQUIRE(against.size() == 1);
  CHECK(against[0].reward == -1.0);
  on.press("l+");
  REQUIRE(on.rounds().size() == 2);
  CHECK(on.rounds()[1].words[0].reward == 1.0);
  on.press("l");
  on.press("x");
  CHECK(on.says("was not meant"));
}

TEST_CASE_FIXTURE(Screened, "words to look for that cannot be kept change nothing") {
  on.disk_is_full = true;
  on.press("ksoil\r\r");
  CHECK(on.says("This was not kept"));
  CHECK(on.rounds().empty());
  on.disk_is_full = false;
  on.press(Kind::escape);
  on.press("ksoil\r\r");
  CHECK(on.rounds().size() == 1);
}

TEST_CASE_FIXTURE(Screened, "found documents are listed from the best one on and can be opened") {
  on.press("g2\r3");
  on.press("g0\ry");
  on.press("g4\rn");
  on.press("f");
  const std::string shown = on.shown();
  CHECK(shown.find("2 good documents") != std::string::npos);
  CHECK(shown.find("Document 0: a") < shown.find("Document 2: c"));
  CHECK(shown.find("Document 4") == std::string::npos);
  on.press(Kind::down);
  on.press("\r");
  CHECK(on.pages->document() == 2);
  CHECK(on.shows("you rated it 0.5"));
  on.press(Kind::escape);
  CHECK(on.pages->document() != 2);
}

TEST_CASE_FIXTURE(Screened, "the history lists answers and notes from the last one on and says what was taken back") {
  on.press("h");
  CHECK(on.shows("Nothing yet."));
  on.press("qg0\rwsoil\r\ry");
  on.press("g4\rn");
  on.press("u");
  on.press("mso far\r");
  on.press("h");
  CHECK(
      on.shows("              the note: so far\n"
               "      2       the rating 0 of document 4 (taken back)\n"
               "      1  good the rating 1 of document 0 (soil)\n"));
}

TEST_CASE_FIXTURE(Screened, "note and tags stay when a document is rated again and when its words change") {
  static_cast<void>(on.service->json(R"({"rate": 1, "document": 5, "words": ["tea"], "note": "so", "tags": ["old"]})"));
  on.press("l");  // any key shows the search after that
  on.press("qW ");
  on.press(Kind::end);
  for (const char* const keys : {" \r", "g5\r4"}) {
    on.press(keys);
    const SearchEvent& last = on.searcher->history().rating_of(5);
    CHECK(last.note == "so");
    CHECK(last.tags == std::vector<std::string>{"old"});
  }
}

TEST_CASE_FIXTURE(Screened, "opening a document that does not exist shows an error and the search continues") {
  for (const char* wrong : {"g99\r", "gz\r", "g-1\r"}) {
    on.press(wrong);
    CHECK(on.pages->went_wrong());
    CHECK(on.says("expected a number from 0 to 5, or an id of this pool"));
    on.press(Kind::escape);
  }
  on.press("y");
  CHECK(on.rounds().size() == 1);
}

TEST_CASE_FIXTURE(Screened, "an answer that cannot be kept is an error and changes nothing and can be repeated") {
  on.press("y");
  const DocumentId document = *on.pages->document();
  on.press("wtea\r\r");
  on.disk_is_full = true;
  for (const char* keys : {"y", "s", "a\r"}) {
    on.press(keys);
    CHECK(on.says("search.db"));
    CHECK(on.says("This was not kept; the search is unchanged."));
    on.press(Kind::escape);
    CHECK(on.pages->document() == document);
    CHECK(on.rounds().size() == 1);
  }
  on.disk_is_full = false;
  on.press("y");
  CHECK(on.rounds().size() == 2);
  CHECK(on.rounds().back().words == std::vector<SaidWord>{{3}});
}

TEST_CASE_FIXTURE(Screened, "if an undo cannot be kept nothing is taken back") {
  on.press("y");
  on.disk_is_full = true;
  on.press("u");
  CHECK(on.says("This was not kept"));
  CHECK(on.rounds().size() == 1);
  on.disk_is_full = false;
  on.press("u");
  CHECK(on.rounds().empty());
}

TEST_CASE_FIXTURE(Screened, "pasted text and unknown keys rate no document") {
  on.pages->press({Kind::pasted, "yyyy"});
  on.press("z09");
  for (const Kind kind : {Kind::other, Kind::tab, Kind::left, Kind::redraw, Kind::escape, Kind::enter}) on.press(kind);
  CHECK(on.rounds().empty());
  CHECK(on.pages->document());
}

TEST_CASE_FIXTURE(Screened, "q leaves a page or the search if a document is shown and the end of input ends it anywhere") {
  for (const char* page : {"e", "l", "f", "h", "p", "?"}) {
    on.press(page);
    on.press("q");
    CHECK_FALSE(on.pages->has_ended());
  }
  on.press("q");
  CHECK(on.pages->has_ended());
  OnScreen other;
  other.press("w");
  other.press(Kind::end_of_input);
  CHECK(other.pages->has_ended());
}

TEST_CASE_FIXTURE(Screened, "no text on any page acts on the terminal and every page fits every size") {
  for (const char* keys : {"g4\r", "w", "\re", "l", "f", "h", "p", "?", "a", "\rk", "soil\r\rg"}) {
    on.press(keys);
    for (std::size_t rows = 1; rows < 30; rows += 3) {
      for (const std::size_t columns : {std::size_t{1}, std::size_t{19}, std::size_t{80}, std::size_t{200}}) {
        const std::vector<StyledLine> lines = on.pages->screen({columns, rows});
        CHECK(lines.size() <= rows);
        for (const StyledLine& line : lines) {
          CHECK(columns_of(plain_text(line)) <= columns);
          CHECK(plain_text(line).find('\x1b') == std::string::npos);
        }
      }
    }
  }
  CHECK(on.searcher->progress().sample_left == 6);
}

TEST_CASE("a long text can be scrolled and keeps its place") {
  test::SmallPool pool = gardens();
  std::string text;
  for (int n = 1; n <= 100; ++n) text += "line " + std::to_string(n) + "\n";
  pool.texts = std::vector<std::string>(6, text);
  OnScreen on(pool);
  CHECK(on.shows("line 1\n"));
  on.press(" ");
  CHECK_FALSE(on.shows("line 1\n"));
  CHECK(on.shows("line 18\n"));
  on.press(Kind::end);
  CHECK(on.shows("line 100\n"));
  on.press("b");
  CHECK_FALSE(on.shows("line 100\n"));
  on.press(Kind::home);
  CHECK(on.shows("line 1\n"));
  on.press(Kind::down);
  CHECK_FALSE(on.shows("line 1\n"));
  on.press("y");
  CHECK(on.shows("line 1\n"));
}

TEST_CASE("Tab goes from one known word to the next") {
  test::SmallPool pool = gardens();
  std::string text;
  for (int n = 1; n <= 100; ++n) text += "line " + std::to_string(n) + (n == 40 || n == 60 ? " soil\n" : "\n");
  pool.texts = std::vector<std::string>(6, text);
  OnScreen on(pool);
  on.press(Kind::tab);
  CHECK(on.shows("line 1\n"));
  on.press("wsoil\r\r");
  CHECK(on.shows("line 1\n"));
  for (const char* first : {"\n\nline 40 soil\n", "\n\nline 60 soil\n", "\n\nline 40 soil\n"}) {
    on.press(Kind::tab);
    CHECK(on.shows(first));
  }
}

TEST_CASE("a pool without texts and one without words can be searched") {
  test::SmallPool pool = gardens();
  pool.texts.reset();
  OnScreen on(pool);
  CHECK(on.shows("inkling build --keep-text"));
  on.press("gf\r");
  CHECK(on.shows("0.50000  compost"));
  on.press("wsoil\r\ry");
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2}});
  pool.vocabulary.reset();
  pool.recipe = R"({"source":"test","ridge":1.0})";
  OnScreen nameless(pool);
  nameless.press("gf\r");
  CHECK(nameless.shows("0.50000  feature 0"));
  nameless.press("w2\r\ry");
  CHECK(nameless.rounds()[0].words == std::vector<SaidWord>{{1}});
}

TEST_CASE("the list of what was found shows how a text in any script begins") {
  test::SmallPool pool = gardens();
  for (std::string& text : *pool.texts) text = "土壤和堆肥";
  OnScreen search(pool);
  search.press("yf");
  CHECK(search.shows("土壤和堆肥"));
}

}  // namespace
}  // namespace inkling
