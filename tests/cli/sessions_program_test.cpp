// `inkling sessions` as a user meets it.
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "io/search/session/session_file.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling::test {
namespace {

SearchEvent rating(DocumentId document, double reward, std::vector<SaidWord> words) {
  SearchEvent event = {.kind = SearchEventKind::rated, .document = document, .reward = reward, .words = std::move(words)};
  return event;
}

SearchEvent targeted(SearchEventKind kind, std::int64_t target) {
  SearchEvent event = {.kind = kind, .target = target};
  return event;
}

// The events of a search in which ratings of the documents 3, 5 and 2 hold.
std::vector<SearchEvent> small_search() {
  std::vector<SearchEvent> events = {rating(3, 1, {{.feature = 4}, {.feature = 1, .confidence = 0.25}}), rating(7, 0.5, {}),
                                     rating(5, 0, {{.feature = 2, .reward = -1.0, .confidence = 0.5}}),
                                     targeted(SearchEventKind::undone, 2), rating(2, -0.125, {})};
  SearchEvent skip = {.kind = SearchEventKind::skipped, .document = 9};
  events.push_back(skip);
  for (std::size_t n = 0; n < events.size(); ++n) {
    events[n].sequence = static_cast<std::int64_t>(n) + 1;
    events[n].at_ms = 1000;
  }
  return events;
}

// Two searches of one pool, the first with the events above.
struct TwoSearches {
  explicit TwoSearches(const std::string& fingerprint = "0123456789abcdef") {
    SessionFile file(path, SessionAccess::write);
    SessionFacts facts;
    facts.name = "soil\x1b[31m";
    facts.owner = "ada";
    facts.pool = "/pools/novels";
    facts.fingerprint = fingerprint;
    facts.policy = "ff-oful";
    facts.options = "{}";
    facts.seed = 7;
    facts.created_ms = 1'700'000'000'000;
    first = file.begin(facts).id;
    const std::vector<SearchEvent> events = small_search();
    const SessionBatch batch = {first, "ada", events};
    file.append(std::span(&batch, 1));
    facts.name = "trees";
    second = file.begin(facts).id;
  }
  [[nodiscard]] ProgramResult sessions(const Args& args) const { return inkling(Args{"sessions", "--searches", path} + args); }

  TemporaryFolder folder;
  std::string path = folder.file("novels.search");
  std::string first, second;
};

struct InTwoSearches {
  const TwoSearches searches;
};

TEST_CASE_FIXTURE(InTwoSearches, "the searches of a file are listed and their names cannot act on a terminal") {
  const ProgramResult all = succeeded(searches.sessions({}));
  CHECK(all.out == "soil\\x1B[31m  (" + searches.first +
                       ")\n  3 ratings in 6 events, begun 2023-11-14 22:13 UTC by ada\n"
                       "  pool /pools/novels, policy ff-oful, seed 7\ntrees  (" +
                       searches.second +
                       ")\n  0 ratings in 0 events, begun 2023-11-14 22:13 UTC by ada\n"
                       "  pool /pools/novels, policy ff-oful, seed 7\n");
  const ProgramResult one = searches.sessions({"--name", "trees", "--json"});
  CHECK(one.out == R"({"name":"trees","id":")" + searches.second +
                       R"(","owner":"ada","pool":"/pools/novels","fingerprint":"0123456789abcdef",)"
                       R"("policy":"ff-oful","seed":7,"begun_ms":1700000000000,"events":0,"ratings":0,"words":0})"
                       "\n");
  CHECK(searches.sessions({"--name", searches.second, "--json"}).out == one.out);
  check_refused(searches.sessions({"--name", "soup"}), 2,
                {"found \"soup\": it keeps \"soil\\x1B[31m\" (" + searches.first + "), \"trees\""});
}

TEST_CASE_FIXTURE(InTwoSearches, "the searches of a pool are those of the file beside it unless a file is named") {
  const std::string pool = searches.folder.file("novels");
  CHECK(inkling({"sessions", pool}).out == searches.sessions({}).out);
  CHECK(inkling({"sessions", pool, "--searches", searches.path}).exit_code == 2);
  CHECK(inkling({"sessions"}).exit_code == 2);
}

TEST_CASE_FIXTURE(InTwoSearches, "ratings that hold are exported as events with all words for and against") {
  check_refused(searches.sessions({"--write", "ratings"}), 2,
                {"expected --name with the name or the id of one search, found 2 searches"});
  const ProgramResult exported = succeeded(searches.sessions({"--write", "ratings", "--name", searches.first}));
  CHECK(exported.out ==
        "{\"pool\":\"0123456789abcdef\"}\n"
        "{\"document\":3,\"reward\":1,\"features\":[4,{\"feature\":1,\"confidence\":0.25}]}\n"
        "{\"document\":5,\"reward\":0,\"features\":[{\"feature\":2,\"reward\":-1,\"confidence\":0.5}]}\n"
        "{\"document\":2,\"reward\":-0.125}\n");
  CHECK(exported.err.empty());
  const std::string file = searches.folder.file("ratings.jsonl");
  CHECK(searches.sessions({"--write", "ratings", "--out", file, "--name", searches.first}).exit_code == 0);
  CHECK(text_of(file) == exported.out);
}

TEST_CASE_FIXTURE(InFolder, "exported ratings are events of their pool, from which inkling score learns") {
  const std::string pool = folder.file("pool");
  REQUIRE(inkling({"build", kTinyCorpus, "--out", pool}).exit_code == 0);
  const std::string facts = inkling({"info", pool, "--json"}).out;
  const std::string member = "\"fingerprint\":\"";
  REQUIRE(holds(facts, member));
  const TwoSearches own(facts.substr(facts.find(member) + member.size(), 16));
  const TwoSearches other;
  const std::string events = folder.file("events.jsonl");
  REQUIRE(own.sessions({"--write", "ratings", "--out", events, "--name", own.first}).exit_code == 0);
  const ProgramResult learned = succeeded(inkling({"score", pool, "--events", events, "--out", "-", "--policy", "ff-oful"}));
  const ProgramResult by_hand = succeeded(inkling({"score", pool, "--events",
                                                   write(folder.file("hand.jsonl"),
                                                         "{\"document\": 3, \"reward\": 1, \"features\": [4, 1]}\n"
                                                         "{\"document\": 5, \"reward\": 0}\n"
                                                         "{\"document\": 2, \"reward\": -0.125}\n"),
                                                   "--out", "-", "--policy", "ff-oful"}));
  CHECK(learned.out == by_hand.out);
  REQUIRE(other.sessions({"--write", "ratings", "--out", events, "--name", other.first}).exit_code == 0);
  CHECK(inkling({"score", pool, "--events", events, "--out", "-"}).exit_code == 3);
}

TEST_CASE_FIXTURE(InTwoSearches, "a file of searches is copied as a whole and a copy says how old its last event is") {
  const std::string copy = searches.folder.file("copy.search");
  CHECK(searches.sessions({"--backup", copy, "--json"}).exit_code == 2);
  CHECK(searches.sessions({"--backup", searches.path}).exit_code == 2);
  CHECK(searches.sessions({"--backup", searches.path + "-wal"}).exit_code == 2);
  {
    const SessionFile held(searches.path, SessionAccess::write);
    CHECK(searches.sessions({"--backup", copy}).exit_code == 0);
  }
  CHECK((std::filesystem::status(copy).permissions() & std::filesystem::perms::others_all) == std::filesystem::perms::none);
  CHECK(inkling({"sessions", copy}).out == searches.sessions({}).out);
  const ProgramResult verified = succeeded(inkling({"sessions", copy, "--verify"}));
  CHECK(verified.out.starts_with(copy + ": intact. 2 searches, 6 events, the last one "));
  CHECK(verified.out.ends_with(" days ago, at 1970-01-01 00:00 UTC\n"));
}

TEST_CASE_FIXTURE(InTwoSearches, "every event of a search is written as a line even if it was undone") {
  const ProgramResult log = succeeded(searches.sessions({"--write", "events", "--name", searches.first}));
  CHECK(holds(log.out, R"({"sequence":2,"at_ms":1000,"kind":"rated","document":7,"reward":0.5,"words":[]})"));
  CHECK(holds(log.out, R"({"sequence":4,"at_ms":1000,"kind":"undone","target":2})"));
  CHECK(log.out.ends_with("{\"sequence\":6,\"at_ms\":1000,\"kind\":\"skipped\",\"document\":9}\n"));
}

TEST_CASE_FIXTURE(InTwoSearches, "an event that was changed is found and named with exit code 5") {
  const ProgramResult good = succeeded(searches.sessions({"--verify"}));
  CHECK(good.out.starts_with(searches.path + ": intact. 2 searches, 6 events, the last one "));
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(searches.path.c_str(), &database) == SQLITE_OK);
  // Restores the trigger.
  CHECK(sqlite3_exec(database,
                     "DROP TRIGGER event_is_not_changed; UPDATE event SET at_ms = 1001 WHERE seq = 3;"
                     "CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, "
                     "'events are never changed'); END",
                     nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  const ProgramResult bad = searches.sessions({"--verify"});
  CHECK(bad.exit_code == 5);
  CHECK(bad.err == "inkling sessions: " + searches.path + ": search " + searches.first +
                       ", event 3: expected what was written, found a changed row\n");
  CHECK(searches.sessions({}).exit_code == 5);
}

TEST_CASE_FIXTURE(InTwoSearches, "outputs that would destroy the file of searches and contradictory options are refused") {
  const std::string before = text_of(searches.path);
  for (const Args& wrong : {Args{"--write", "ratings", "--out", searches.path, "--name", "trees"}, Args{"--out", "-"},
                            Args{"--verify", "--json"}, Args{"--json", "--write", "events"}}) {
    const ProgramResult result = searches.sessions(wrong);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
  }
  const std::string page = searches.folder.file("report.html");
  const Args report = {"--write", "report", "--name", "trees", "--out", page};
  check_refused(searches.sessions(report + Args{"--language", "dee"}), 2,
                {"--language: expected en, de or es, got 'dee' (did you mean de?)"});
  for (const Args& no_page : {Args{}, Args{"--write", "work", "--out", searches.folder.file("work.csv")},
                              Args{"--write", "report", "--out", searches.folder.file("report.csv")}, Args{"--write", "report"}})
    check_refused(searches.sessions(no_page + Args{"--language", "de"}), 2,
                  {"--language: expected with --write report and --out FILE.html"});
  CHECK_FALSE(std::filesystem::exists(page));
  CHECK(text_of(searches.path) == before);
  CHECK(inkling({"sessions", "--searches", searches.folder.file("nothing")}).exit_code == 4);
  CHECK(inkling({"sessions", "--searches", write(searches.folder.file("text"), "no database, but long enough to look like one")})
            .exit_code == 5);
}

}  // namespace
}  // namespace inkling::test
