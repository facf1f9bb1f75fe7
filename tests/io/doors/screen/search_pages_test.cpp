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

  OnScreen& press(std::string_view keys) {
    for (const char key : keys) pages->press(key == '\r' ? Key{Kind::enter} : Key::character(key));
    return *this;
  }
  OnScreen& press(Kind kind) {
    pages->press(Key{kind});
    return *this;
  }
  [[nodiscard]] std::string shown(PageSize size = {80, 24}) {
    std::string text;
    for (const StyledLine& line : pages->screen(size)) text += plain_text(line) + "\n";
    return text;
  }
  [[nodiscard]] bool shows(const std::string& part) { return shows_all({part}); }
  [[nodiscard]] bool shows_all(std::initializer_list<std::string> parts) {
    const std::string text = shown();
    return std::ranges::all_of(parts, [&](const std::string& part) { return text.find(part) != std::string::npos; });
  }
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
    REQUIRE(on.press(std::string(1, key)).rounds().size() == seen.size());
    CHECK(on.rounds().back().document == document);
    CHECK(on.rounds().back().reward == rating);
    CHECK(on.shows("Kept the rating"));
  }
  CHECK_FALSE(on.pages->document());
  CHECK(on.shows("Every document is rated."));
  CHECK(on.press("5").rounds().size() == 6);
  CHECK(on.press("u").rounds().size() == 5);
  CHECK(on.press("5").rounds().back().reward == 1.0);
}

TEST_CASE_FIXTURE(Screened, "in a shared search a key hands the document on and it comes back if nothing else is left") {
  static_cast<void>(on.searcher->aim({.shared = {"bob"}}));
  on.pages.emplace(*on.service, "");
  const DocumentId first = *on.pages->document();
  CHECK(on.press("g").shows("Kept"));
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
  CHECK(on.press("gf\r").shows_all({"Document 5: f", "opened by you"}));
  CHECK(on.press("w-tea\rsoil\r\r").looks("soil", Look::marked_for));
  CHECK(on.looks("tea", Look::marked_against));
  CHECK(on.looks("compost rose ", Look::plain));
  CHECK(on.shows("Marked: soil -tea"));
  CHECK(on.rounds().empty());
  REQUIRE(on.press("y").rounds().size() == 1);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2}, {3, -1.0}});
  CHECK(on.shows("Kept the rating 1 of document 5 (soil, -tea). u takes it back."));
  CHECK(on.press("g0\r").looks("Soil", Look::marked_for));
  CHECK(on.press("u").rounds().empty());
  CHECK(on.shows("Took back the rating 1 of document 5 (soil, -tea). r brings it back."));
  CHECK(on.press("r").rounds().size() == 1);
  CHECK(on.shows("Brought back the rating 1 of document 5"));
  CHECK(on.press("r").shows("nothing to bring back"));
}

TEST_CASE_FIXTURE(Screened, "undo first takes back marked words that are not kept yet") {
  CHECK(on.press("y").press("w1\r\r").shows("Marked: "));
  CHECK_FALSE(on.press("u").shows("Marked: "));
  CHECK(on.rounds().size() == 1);
  CHECK(on.press("u").rounds().empty());
  CHECK(on.press("u").shows("nothing to take back"));
}

TEST_CASE_FIXTURE(Screened, "words of the document rated last can be marked and unmarked") {
  CHECK(on.press("W").shows("No document is rated yet"));
  REQUIRE(on.press("gf\r4").press("Wrose\rtea\r\r").rounds().size() == 1);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{1}, {3}});
  CHECK(on.rounds()[0].reward == 0.75);
  CHECK(on.press("W").press("-rose\r\r").rounds()[0].words == std::vector<SaidWord>{{1, -1.0}, {3}});
  on.press("W");
  on.press("  \r");  // two steps on for the first word of the list
  CHECK(on.rounds().size() == 1);
  const std::size_t kept = on.kept;
  CHECK(on.press("W\r").kept == kept);
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
  CHECK(on.press("y").says(asks_for_words));
  CHECK_FALSE(on.press("y").says(asks_for_words));
  for (int bad = 1; bad <= 22; ++bad) CHECK(on.press("n").says(asks_for_more) == (bad % 4 == 0 && bad <= 20));
  CHECK_FALSE(on.press("u").press("y").says(asks_for_more));
  CHECK(on.press("mA note\r").searcher->history().events().back().note == "A note");
}

TEST_CASE_FIXTURE(Screened, "a document keeps its marked words when it is rated again") {
  CHECK(on.press("g0\rwsoil\r\ry").press("g0\r").shows_all({"you rated it 1", "Marked: soil"}));
  REQUIRE(on.press("n").rounds().size() == 1);
  CHECK(on.rounds()[0].reward == 0.0);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2}});
}

TEST_CASE_FIXTURE(Screened, "a learned word can be taken back and brought back") {
  CHECK(on.press("g0\rwsoil\r\ry").press("l").shows(">*soil"));
  CHECK(on.press("x").rounds()[0].words.empty());
  CHECK(on.shows("Kept that soil was not meant."));
  CHECK(on.press("u").rounds()[0].words.size() == 1);
}

TEST_CASE_FIXTURE(Screened, "a skipped document is kept as such and the page of progress counts it") {
  const DocumentId first = *on.pages->document();
  CHECK(on.press("s").pages->document() != first);
  CHECK(on.shows("for later"));
  CHECK(on.press("p").shows_all({"1 put off for later.", "at most 6 of them are good"}));
}

TEST_CASE_FIXTURE(Screened, "a sample of more documents than there are is refused with how many may be drawn") {
  for (const char* const typed : {"a1000000\r", "a7\r", "a0\r"}) {
    CHECK(on.press(typed).says("Expected how many documents are to be drawn, from 1 to 6."));
    CHECK(on.searcher->progress().sample_left == 0);
    on.press(Kind::escape);
  }
  CHECK(on.press("a\r").searcher->progress().sample_left == 6);
}

TEST_CASE_FIXTURE(Screened, "a sample is drawn at random, and the estimate rests on it") {
  CHECK(on.press("a3\r").searcher->progress().sample_left == 3);
  for (int n = 0; n < 3; ++n) {
    CHECK(on.shows("drawn at random, to learn"));
    on.press("y");
  }
  CHECK(on.searcher->progress().sample_left == 0);
  CHECK(on.press("p").says("Of 3 documents drawn at random 3 were good: at most 3 of the 3 unread ones are good (95 %)"));
  CHECK(on.press("ax\r").shows("Expected how many documents"));
  CHECK_FALSE(on.press(Kind::escape).pages->is_typing());
}

TEST_CASE_FIXTURE(Screened, "k takes words to look for apart from any document and they can be taken back") {
  const DocumentId before = *on.pages->document();
  REQUIRE(on.press("ksoil\r-tea\r\r").rounds().size() == 1);
  CHECK(on.rounds()[0].kind == StepKind::words);
  CHECK(on.rounds()[0].words == std::vector<SaidWord>{{2, 1.0}, {3, -1.0}});
  CHECK(on.says("Kept what to look for (soil, -tea). u takes it back."));
  CHECK(on.shows("Looking for: soil, -tea"));
  CHECK(on.press("e").shows("Why this one"));
  CHECK(on.press(Kind::escape).press("u").rounds().empty());
  CHECK(on.pages->document() == before);
  CHECK_FALSE(on.shows("Looking for"));
  CHECK(on.press("r").shows("Looking for: soil, -tea"));
  CHECK(on.press("krose\r\r").shows("Looking for: rose, soil, -tea"));
  CHECK(on.press("k-soil\r\r").shows("Looking for: rose, -soil, -tea"));
  CHECK(on.press("k").press(Kind::escape).shows("Looking for: rose, -soil, -tea"));
}

TEST_CASE_FIXTURE(Screened, "words to look for are tinted and shown as a reason and a removed one is forgotten") {
  CHECK(on.press("ksoil\r\r").press("g0\r").looks("Soil", Look::marked_for));
  CHECK(on.press("e").says("It holds soil, which you liked."));
  on.press(Kind::escape);
  on.press("k ");   // the word under the cursor now speaks against
  on.press(" \r");  // and now it is no longer rated
  CHECK(on.says("Kept that soil was not meant."));
  CHECK(on.rounds().empty());
}

TEST_CASE_FIXTURE(Screened, "a key rates the word under the cursor in the list of what was learned") {
  REQUIRE(on.press("g5\rwsoil\rtea\r\ry").press("l-").rounds().size() == 2);
  const std::vector<SaidWord> against = on.rounds()[1].words;
  REQUIRE(against.size() == 1);
  CHECK(against[0].reward == -1.0);
  REQUIRE(on.press("l+").rounds().size() == 2);
  CHECK(on.rounds()[1].words[0].reward == 1.0);
  CHECK(on.press("l").press("x").says("was not meant"));
}

TEST_CASE_FIXTURE(Screened, "words to look for that cannot be kept change nothing") {
  on.disk_is_full = true;
  CHECK(on.press("ksoil\r\r").says("This was not kept"));
  CHECK(on.rounds().empty());
  on.disk_is_full = false;
  CHECK(on.press(Kind::escape).press("ksoil\r\r").rounds().size() == 1);
}

TEST_CASE_FIXTURE(Screened, "found documents are listed from the best one on and can be opened") {
  on.press("g2\r3").press("g0\ry").press("g4\rn").press("f");
  const std::string shown = on.shown();
  CHECK(shown.find("2 good documents") != std::string::npos);
  CHECK(shown.find("Document 0: a") < shown.find("Document 2: c"));
  CHECK(shown.find("Document 4") == std::string::npos);
  CHECK(on.press(Kind::down).press("\r").pages->document() == 2);
  CHECK(on.shows("you rated it 0.5"));
  CHECK(on.press(Kind::escape).pages->document() != 2);
}

TEST_CASE_FIXTURE(Screened, "the history lists answers and notes from the last one on and says what was taken back") {
  CHECK(on.press("h").shows("Nothing yet."));
  on.press("qg0\rwsoil\r\ry").press("g4\rn").press("u").press("mso far\r").press("h");
  CHECK(
      on.shows("              the note: so far\n"
               "      2       the rating 0 of document 4 (taken back)\n"
               "      1  good the rating 1 of document 0 (soil)\n"));
}

TEST_CASE_FIXTURE(Screened, "note and tags stay when a document is rated again and when its words change") {
  static_cast<void>(on.service->json(R"({"rate": 1, "document": 5, "words": ["tea"], "note": "so", "tags": ["old"]})"));
  on.press("l");  // any key shows the search after that
  on.press("qW ").press(Kind::end);
  for (const char* const keys : {" \r", "g5\r4"}) {
    on.press(keys);
    const SearchEvent& last = on.searcher->history().rating_of(5);
    CHECK(last.note == "so");
    CHECK(last.tags == std::vector<std::string>{"old"});
  }
}

TEST_CASE_FIXTURE(Screened, "opening a document that does not exist shows an error and the search continues") {
  for (const char* wrong : {"g99\r", "gz\r", "g-1\r"}) {
    CHECK(on.press(wrong).pages->went_wrong());
    CHECK(on.says("expected a number from 0 to 5, or an id of this pool"));
    on.press(Kind::escape);
  }
  CHECK(on.press("y").rounds().size() == 1);
}

TEST_CASE_FIXTURE(Screened, "an answer that cannot be kept is an error and changes nothing and can be repeated") {
  on.press("y");
  const DocumentId document = *on.pages->document();
  on.press("wtea\r\r");
  on.disk_is_full = true;
  for (const char* keys : {"y", "s", "a\r"}) {
    CHECK(on.press(keys).says("search.db"));
    CHECK(on.says("This was not kept; the search is unchanged."));
    CHECK(on.press(Kind::escape).pages->document() == document);
    CHECK(on.rounds().size() == 1);
  }
  on.disk_is_full = false;
  CHECK(on.press("y").rounds().size() == 2);
  CHECK(on.rounds().back().words == std::vector<SaidWord>{{3}});
}

TEST_CASE_FIXTURE(Screened, "if an undo cannot be kept nothing is taken back") {
  on.press("y");
  on.disk_is_full = true;
  CHECK(on.press("u").says("This was not kept"));
  CHECK(on.rounds().size() == 1);
  on.disk_is_full = false;
  CHECK(on.press("u").rounds().empty());
}

TEST_CASE_FIXTURE(Screened, "pasted text and unknown keys rate no document") {
  on.pages->press({Kind::pasted, "yyyy"});
  on.press("z09");
  for (const Kind kind : {Kind::other, Kind::tab, Kind::left, Kind::redraw, Kind::escape, Kind::enter}) on.press(kind);
  CHECK(on.rounds().empty());
  CHECK(on.pages->document());
}

TEST_CASE_FIXTURE(Screened, "q leaves a page or the search if a document is shown and the end of input ends it anywhere") {
  for (const char* page : {"e", "l", "f", "h", "p", "?"}) CHECK_FALSE(on.press(page).press("q").pages->has_ended());
  CHECK(on.press("q").pages->has_ended());
  OnScreen other;
  CHECK(other.press("w").press(Kind::end_of_input).pages->has_ended());
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
  CHECK_FALSE(on.press(" ").shows("line 1\n"));
  CHECK(on.shows("line 18\n"));
  CHECK(on.press(Kind::end).shows("line 100\n"));
  CHECK_FALSE(on.press("b").shows("line 100\n"));
  CHECK(on.press(Kind::home).shows("line 1\n"));
  CHECK_FALSE(on.press(Kind::down).shows("line 1\n"));
  CHECK(on.press("y").shows("line 1\n"));
}

TEST_CASE("Tab goes from one known word to the next") {
  test::SmallPool pool = gardens();
  std::string text;
  for (int n = 1; n <= 100; ++n) text += "line " + std::to_string(n) + (n == 40 || n == 60 ? " soil\n" : "\n");
  pool.texts = std::vector<std::string>(6, text);
  OnScreen on(pool);
  CHECK(on.press(Kind::tab).shows("line 1\n"));
  CHECK(on.press("wsoil\r\r").shows("line 1\n"));
  for (const char* first : {"\n\nline 40 soil\n", "\n\nline 60 soil\n", "\n\nline 40 soil\n"})
    CHECK(on.press(Kind::tab).shows(first));
}

TEST_CASE("a pool without texts and one without words can be searched") {
  test::SmallPool pool = gardens();
  pool.texts.reset();
  OnScreen on(pool);
  CHECK(on.shows("inkling build --keep-text"));
  CHECK(on.press("gf\r").shows("0.50000  compost"));
  CHECK(on.press("wsoil\r\ry").rounds()[0].words == std::vector<SaidWord>{{2}});
  pool.vocabulary.reset();
  pool.recipe = R"({"source":"test","ridge":1.0})";
  OnScreen nameless(pool);
  CHECK(nameless.press("gf\r").shows("0.50000  feature 0"));
  CHECK(nameless.press("w2\r\ry").rounds()[0].words == std::vector<SaidWord>{{1}});
}

TEST_CASE("the list of what was found shows how a text in any script begins") {
  test::SmallPool pool = gardens();
  for (std::string& text : *pool.texts) text = "土壤和堆肥";
  OnScreen search(pool);
  CHECK(search.press("yf").shows("土壤和堆肥"));
}

}  // namespace
}  // namespace inkling
