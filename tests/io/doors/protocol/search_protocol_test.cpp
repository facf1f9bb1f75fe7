// Requests of a program that searches, and their answers, line by line.
#include "io/doors/protocol/search_protocol.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/json_writer.hpp"
#include "io/search/score/event_scope.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::SmallPool;

SmallPool garden() {
  return {.columns = 4,
          .rows = {{{0, 1.0F}}, {{1, 1.0F}}, {{0, 0.5F}, {2, 0.5F}}, {{2, 1.0F}}, {{1, 0.5F}, {3, 0.5F}}},
          .vocabulary = std::vector<std::string>{"compost", "lamp", "rose", "soil"},
          .ids = std::vector<std::string>{"g0", "g1", "g2", "twin", "twin"},
          .texts = std::vector<std::string>{"Compost.", "A lamp", "Rose \"compost\"", "Rose\x1b", "Lamp, soil"}};
}

/// A search of a pool on disk, asked in lines.
struct LiveSearch {
  explicit LiveSearch(const SmallPool& pool = garden()) {
    test::write_pool(pool, folder.file("pool"));
    const std::vector<std::string> paths = {folder.file("pool")};
    pools.emplace(PoolSet::open(paths, PoolAccess::map, PoolTrust::checksums));
    scope = event_scope_of(*pools);
    const auto& opened = dynamic_cast<const Pool&>(pools->member(0));
    searcher.emplace(opened.view(), SearchSettings{.preset = *find_preset("soft-marks")}, std::span<const SearchEvent>(),
                     [this](std::span<const SearchEvent>) {
                       if (fails) throw SystemError("kept.search", 28, "write");
                     });
    shown.emplace(opened, scope);
    service.emplace(*searcher, *shown);
  }
  std::string ask(std::string_view line) { return answer_line(*service, line); }

  test::TemporaryFolder folder;
  bool fails = false;
  std::optional<PoolSet> pools;
  EventScope scope;
  std::optional<Searcher> searcher;
  std::optional<ShownPool> shown;
  std::optional<SearchService> service;
};

struct InLiveSearch {
  LiveSearch live;
};

TEST_CASE_FIXTURE(InLiveSearch, "next answers with the same document on offer however often it is asked") {
  const std::string first = live.ask(R"({"next": true})");
  CHECK(first == R"({"document":0,"id":"g0","text":"Compost.","explored":false,"mean":0,"width":)" +
                     first.substr(first.find("width") + 7));
  CHECK(first.ends_with(R"(,"sequence":1})"));
  CHECK(live.ask(R"( {"next":true} )") == first);
}

TEST_CASE_FIXTURE(InLiveSearch, "a rating is answered by the next document, until every document is rated") {
  static_cast<void>(live.ask(R"({"next": true})"));
  const std::string answer = live.ask(R"({"rate": 1, "words": ["compost", {"word": "soil", "rate": -0.5}, 2]})");
  CHECK(answer.ends_with(R"("sequence":3,"answered":2})"));
  CHECK(live.searcher->history().steps().front().words == std::vector<SaidWord>{{0}, {3, -0.5}, {2}});
  for (int document = 1; document < 4; ++document) static_cast<void>(live.ask(R"({"rate": 0, "note": "no"})"));
  CHECK(live.ask(R"({"rate": 0})") == R"({"document":null,"answered":10})");
  CHECK(live.ask(R"({"next": true})") == R"({"document":null})");
  CHECK(live.ask(R"({"rate": 0})") == R"({"error":"the document on offer","expected":"one; every document is rated"})");
  CHECK(live.ask(R"({"why": true})") == R"({"error":"no document is on offer","expected":"\"why\" with \"document\""})");
}

TEST_CASE_FIXTURE(InLiveSearch, "undo and redo take answers back and bring them back") {
  const std::string first = live.ask(R"({"next": true})");
  static_cast<void>(live.ask(R"({"rate": 1, "document": "g2", "words": ["rose"]})"));
  static_cast<void>(live.ask(R"({"rate": 0, "document": 1})"));
  static_cast<void>(live.ask(R"({"mark": ["compost"], "document": 2})"));
  static_cast<void>(live.ask(R"({"unmark": "rose"})"));
  CHECK(live.searcher->history().steps().front().words == std::vector<SaidWord>{{0}});
  CHECK(live.ask(R"({"undo": 4})").starts_with(first.substr(0, first.find("sequence"))));
  CHECK(live.searcher->history().steps().empty());
  static_cast<void>(live.ask(R"({"redo": 3})"));
  CHECK(live.searcher->history().steps().size() == 2);
  CHECK(live.searcher->history().steps().front().words.size() == 2);
  static_cast<void>(live.ask(R"({"undo": true, "sequence": 2})"));
  CHECK(live.searcher->history().steps().front().document == 1);
  CHECK(live.ask(R"({"undo": true, "sequence": 1})") ==
        R"({"error":"event 1","expected":"an answer that holds, to take it back"})");
  static_cast<void>(live.ask(R"({"skip": true})"));
  static_cast<void>(live.ask(R"({"sample": 2})"));
  CHECK(live.ask(R"({"next": true})").find(R"("explored":true)") != std::string::npos);
  CHECK(live.ask(R"({"note": "later"})").starts_with(R"({"answered":)"));
}

TEST_CASE_FIXTURE(InLiveSearch, "requests tell why a document is shown and which words are learned and how far the search is") {
  static_cast<void>(live.ask(R"({"rate": 1, "document": 2, "words": ["rose"]})"));
  CHECK(live.ask(R"({"why": true, "document": "g2"})").starts_with(R"({"document":2,"id":"g2","explored":false,"mean":0.)"));
  CHECK(live.ask(R"({"why": true})").find(R"("words":[{"feature":)") != std::string::npos);
  CHECK(live.ask(R"({"words": 1})").starts_with(R"({"words":[{"feature":2,"word":"rose","weight":)"));
  CHECK(live.ask(R"({"words": true})").find(R"("word":"lamp")") != std::string::npos);
  CHECK(live.ask(R"({"ranking": 1})").starts_with(R"({"documents":[{"document":3,"id":"twin","score":)"));
  const std::string progress = live.ask(R"({"progress": true})");
  CHECK(progress.starts_with(R"({"documents":5,"rated":1,"good":1,"without_good":0,"standstills":0,)"
                             R"("lately":1,"good_lately":1,"waiting":0,"sample_left":0,"good_left":{"about":)"));
  CHECK(progress.find(R"("guess":null,"at_random":0.2,"prices":[{"at_most":1,"draws":3},{"at_most":0,"draws":4}],)"
                      R"("rules":[{"without_good":50,"searched":")") != std::string::npos);
}

TEST_CASE_FIXTURE(InLiveSearch, "a search may begin with words that can be taken back and brought back and forgotten") {
  const std::string answer = live.ask(R"({"query": ["soil", {"word": "rose", "rate": -0.5}]})");
  CHECK(answer.ends_with(R"("sequence":2,"answered":1})"));
  CHECK(answer.starts_with(R"({"document":4,)"));  // the only one with soil
  CHECK(live.searcher->history().steps().front().words == std::vector<SaidWord>{{3, 1.0}, {2, -0.5}});
  const std::string words = live.ask(R"({"words": true})");
  CHECK(words.find(R"("word":"rose","weight":)") != std::string::npos);
  CHECK(words.find(R"("marked":-0.5,"query":true})") != std::string::npos);
  CHECK(live.ask(R"({"why": true})").find(R"("reason":"it holds soil, which you liked")") != std::string::npos);
  const std::string undone = live.ask(R"({"undo": 1})");
  CHECK(live.searcher->history().steps().empty());
  CHECK(live.ask(R"({"words": true})").find("\"query\":true") == std::string::npos);
  CHECK(live.ask(R"({"redo": 1})").starts_with(R"({"document":4,)"));
  static_cast<void>(live.ask(R"({"unmark": "soil"})"));
  CHECK(live.searcher->history().steps().front().words == std::vector<SaidWord>{{2, -0.5}});
  static_cast<void>(live.ask(R"({"words": ["compost", 1]})"));
  CHECK(live.searcher->history().steps().back().words == std::vector<SaidWord>{{0, 1.0}, {1, 1.0}});
}

TEST_CASE_FIXTURE(InLiveSearch, "an invalid line is answered by an error that says what was expected and changes nothing") {
  const std::string before = live.ask(R"({"next": true})");
  const auto check = [&](const std::string& line, const std::string& error, const std::string& expected) {
    CAPTURE(line);
    const std::string answer = live.ask(line);
    CHECK(answer == JsonWriter().begin_object().member("error", error).member("expected", expected).end_object().take());
  };
  const std::string verbs =
      "one of next, rate, skip, separate, query, mark, unmark, sample, note, aim, undo, redo, why, words, tags, ranking, found, "
      "copies, progress, events, export, report, asked";
  check("[1]", "column 1: found an array", "a JSON object");
  check("{}", "column 1: found no member", verbs);
  check(R"({"nxt": true})", "column 2: found \"nxt\"", verbs + " (did you mean next?)");
  check(R"({"next": false})", "column 10: found false", "true");
  check(R"({"next": true, "next": true})", "column 16: found \"next\"", "this member once");
  check(R"({"next": true, "words": 3})", "column 16: found \"words\"", "only full, next");
  check(R"({"rate": 1, "sequence": 3})", "column 13: found \"sequence\"", "only document, reward, words, note, tags, full");
  check(R"({"rate": 1e101})", "column 10: found 1e101", "a finite number of at most 1e+100 in size");
  check(R"({"rate": "1"})", "column 10: found \"1\"", "a finite number of at most 1e+100 in size");
  check(R"({"rate": 1, "words": ["soill"]})", "column 23: found \"soill\"", "a word of the pool; did you mean \"soil\"?");
  check(R"({"rate": 1, "words": [{"word": "soil"}]})", "column 23: found an object",
        "the members word, and rate, confidence or both, each once");
  check(R"({"rate": 1, "words": [{"word": "soil", "rate": 2}]})", "column 48: found 2", "a number from -1 to 1 that is not 0");
  check(R"({"rate": 1, "words": [4]})", "column 23: found 4", "a word or a feature from 0 to 3");
  check(R"({"rate": 1, "document": 5})", "column 25: found 5", "a row of the pool from 0 to 4, or an id in double quotes");
  check(R"({"rate": 1, "document": "g9"})", "column 25: found \"g9\"", "an id of the pool, or a row without quotes");
  check(R"({"rate": 1, "document": "twin"})", "column 25: found \"twin\"", "a row, because the rows 3 and 4 have this id");
  check(R"({"mark": ["soil"]})", "column 1: found no such member", "\"document\": a document");
  check(R"({"mark": ["soil"], "document": 1})", "document 1", "a document with a rating, to mark words in it");
  check(R"({"query": "soil"})", "column 11: found \"soil\"",
        "an array of words, such as [\"soil\", {\"word\": \"rose\", \"rate\": -1}]");
  check(R"({"query": []})", "column 11: found an array", "at least one word");
  check(R"({"words": ["soill"]})", "column 12: found \"soill\"", "a word of the pool; did you mean \"soil\"?");
  check(R"({"query": ["soil"], "document": 1})", "column 21: found \"document\"", "only words, full");
  check(R"({"words": ["soil"], "document": 1})", "column 21: found \"document\"", "only words, full");
  check(R"({"query": [{"word": "soil", "rate": 0}]})", "column 37: found 0", "a number from -1 to 1 that is not 0");
  check(R"({"undo": 0})", "column 10: found 0", "a whole number from 1 to 1000000000");
  check(R"({"undo": 1})", "undo of 1", "an answer to take back; there is none");
  check(R"({"undo": 1, "sequence": 2})", "column 25: found 2", "\"count\" or \"sequence\", not both");
  check(R"({"sample": 2.5})", "column 12: found 2.5", "a whole number from 1 to 1000000000");
  check(R"({"note": 1})", "column 10: found 1", "a text of 1 to 10000 bytes");
  check(std::string(kLongestRequest + 1, ' '), "a line that is too long", "a request of at most 1048576 bytes");
  check("{\"note\": \"\xFF\"}", "column 11: found the byte 0xFF", "UTF-8");
  CHECK(live.ask("").starts_with(R"({"error":"column 1: found )"));
  CHECK(live.ask(R"({"next": tru})").starts_with(R"({"error":"column 10: found )"));
  CHECK(live.ask(R"({"next": true})") == before);
  CHECK(live.searcher->history().events().size() == 1);
}

TEST_CASE_FIXTURE(InLiveSearch, "a rating that cannot be kept is answered by an error and the search goes on") {
  const std::string before = live.ask(R"({"next": true})");
  live.fails = true;
  const std::string failed = live.ask(R"({"rate": 1})");
  CHECK(failed.find(R"("error":"kept.search)") != std::string::npos);
  CHECK(failed.ends_with(R"("expected":"a file that can be written; nothing of this request was kept"})"));
  CHECK(live.ask(R"({"next": true})") == before);
  live.fails = false;
  CHECK(live.ask(R"({"rate": 1})").ends_with(R"("answered":2})"));
}

TEST_CASE_FIXTURE(InLiveSearch, "control characters in texts and ids are escaped in answers") {
  std::string all;
  for (int document = 0; document < 5; ++document) all += live.ask(R"({"next": true})") + live.ask(R"({"rate": 0})");
  CHECK(all.find('\x1b') == std::string::npos);
  CHECK(all.find("\\u001b") != std::string::npos);
}

TEST_CASE("a pool without words and ids and texts is searched by numbers") {
  SmallPool pool = garden();
  pool.vocabulary.reset();
  pool.ids.reset();
  pool.texts.reset();
  LiveSearch live(pool);
  CHECK(live.ask(R"({"next": true})").starts_with(R"({"document":0,"explored":false)"));
  CHECK(live.ask(R"({"rate": 1, "words": ["soil"]})") ==
        R"({"error":"column 23: found \"soil\"","expected":"a feature from 0 to 3"})");
  CHECK(live.ask(R"({"rate": 1, "document": "g0"})") ==
        R"-({"error":"column 25: found \"g0\"","expected":"a row of the pool from 0 to 4 (it has no ids)"})-");
  CHECK(live.ask(R"({"rate": 1, "words": [3]})").ends_with(R"("answered":2})"));
}

}  // namespace
}  // namespace inkling
