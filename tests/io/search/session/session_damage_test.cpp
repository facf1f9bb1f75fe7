// Files of searches that a person or an error has changed.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/search/session/session_file.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/session_files.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling {
namespace {

using test::append_to, test::facts_named, test::make_file_to_tamper_with, test::message_of_opening, test::refusal_of_sql,
    test::run_sql, test::tamper;

struct InFolderOfLog : test::InFolder {
  const std::string path = folder.file("log.db");
};

TEST_CASE_FIXTURE(InFolderOfLog, "rows of a file of searches cannot be changed or deleted") {
  {
    SessionFile file(path, SessionAccess::write);
    append_to(file, file.begin(facts_named("one")).id, test::RandomSearchEvents(6).several(1, 3), "click");
  }
  CHECK(refusal_of_sql(path, "UPDATE event SET at_ms = 1") == "events are never changed");
  CHECK(refusal_of_sql(path, "DELETE FROM event WHERE seq = 3") == "events are never deleted");
  CHECK(refusal_of_sql(path, "UPDATE session SET name = 'x'") == "searches are never changed");
  CHECK(refusal_of_sql(path, "DELETE FROM session") == "searches are never deleted");
  CHECK(refusal_of_sql(path, "REPLACE INTO event SELECT * FROM event WHERE seq = 2") ==
        "events are only appended, each request once");
  CHECK(refusal_of_sql(path,
                       "REPLACE INTO event SELECT session, 4, 0, actor, kind, document, body, 'click', 0 FROM "
                       "event WHERE seq = 3") == "events are only appended, each request once");
  CHECK(refusal_of_sql(path, "REPLACE INTO session SELECT * FROM session") == "searches are never replaced");
  CHECK(SessionFile(path, SessionAccess::read).verify().empty());
}

TEST_CASE_FIXTURE(test::InFolder, "a change to any column of any row is found and named") {
  const std::pair<const char*, std::int64_t> changes[] = {{"UPDATE event SET at_ms = at_ms + 1 WHERE seq = 1", 1},
                                                          {"UPDATE event SET actor = 'bob' WHERE seq = 2", 2},
                                                          {"UPDATE event SET kind = 'shown' WHERE seq = 3", 3},
                                                          {"UPDATE event SET document = 9 WHERE seq = 4", 4},
                                                          {"UPDATE event SET document = NULL WHERE seq = 4", 4},
                                                          {"UPDATE event SET body = '{\"note\":\"note 5\"}' WHERE seq = 5", 5},
                                                          {"UPDATE event SET body = body || ' ' WHERE seq = 6", 6},
                                                          {"UPDATE event SET request = 'clack' WHERE seq = 4", 4},
                                                          {"UPDATE event SET request = NULL WHERE seq = 4", 4},
                                                          {"UPDATE event SET chain = chain + 1 WHERE seq = 5", 5},
                                                          {"UPDATE event SET seq = 7 WHERE seq = 6", 6},
                                                          {"DELETE FROM event WHERE seq = 1", 1},
                                                          {"DELETE FROM event WHERE seq = 3", 3},
                                                          {"DELETE FROM event WHERE seq = 6", 6},
                                                          {"DELETE FROM event WHERE seq > 2", 3},
                                                          {"DELETE FROM event", 1},
                                                          {"UPDATE ending SET events = 5 WHERE session <> ''", 7},
                                                          {"UPDATE ending SET chain = 3 WHERE session <> ''", 6},
                                                          {"DELETE FROM ending", 6},
                                                          {"UPDATE session SET name = 'two'", 0},
                                                          {"UPDATE session SET owner = 'bob'", 0},
                                                          {"UPDATE session SET pool = ''", 0},
                                                          {"UPDATE session SET pool_checksum = ''", 0},
                                                          {"UPDATE session SET policy = 'oful'", 0},
                                                          {"UPDATE session SET options = '{}'", 0},
                                                          {"UPDATE session SET seed = 3", 0},
                                                          {"UPDATE session SET created_ms = 3", 0},
                                                          {"UPDATE session SET chain = 3", 0}};
  const std::string session = make_file_to_tamper_with(folder.file("log.db"));
  for (const auto& [change, sequence] : changes) {
    CAPTURE(change);
    const std::string path = folder.file("changed.db");
    std::filesystem::remove(path);
    std::filesystem::copy_file(folder.file("log.db"), path);
    tamper(path, change);
    const SessionFile file(path, SessionAccess::read);
    const std::vector<SessionFault> faults = file.verify();
    REQUIRE_FALSE(faults.empty());
    CHECK(faults.front().session == session);
    CHECK(faults.front().sequence == sequence);
    CHECK_THROWS_AS(static_cast<void>(file.events(session)), CorruptFileError);
  }
}

TEST_CASE_FIXTURE(InFolderOfLog, "swapped events and missing searches are found") {
  const std::string session = make_file_to_tamper_with(path);
  tamper(path,
         "UPDATE event SET seq = 100 WHERE seq = 2; UPDATE event SET seq = 2 WHERE seq = 3;"
         "UPDATE event SET seq = 3 WHERE seq = 100");
  std::vector<SessionFault> faults = SessionFile(path, SessionAccess::read).verify();
  REQUIRE(faults.size() >= 2);
  CHECK(faults[0].sequence == 2);
  CHECK(faults[1].sequence == 3);
  tamper(path, "DELETE FROM session");
  faults = SessionFile(path, SessionAccess::read).verify();
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].session == session);
  tamper(path, "DELETE FROM event");
  const SessionFile file(path, SessionAccess::read);
  REQUIRE(file.verify().size() == 1);
  CHECK(file.verify()[0].session == session);
  CHECK_THROWS_AS(static_cast<void>(file.sessions()), CorruptFileError);
}

TEST_CASE_FIXTURE(InFolderOfLog, "a file of searches of version 1 is read and its end is protected once it was written to") {
  std::filesystem::copy_file(test::tests_path("io/search/session/version_1.search"), path);
  const SessionFacts facts = SessionFile(path, SessionAccess::read).sessions().front();
  const std::string& session = facts.id;
  CHECK(facts.name == "gold");
  const std::vector<SearchEvent> written = SessionFile(path, SessionAccess::read).events(session);
  CHECK(written.size() == 24);
  CHECK(SessionFile(path, SessionAccess::read).verify().empty());
  SearchEvent next = {.sequence = 25, .kind = SearchEventKind::aimed};
  next.aim.question = "soil?";
  {
    SessionFile file(path, SessionAccess::write);
    append_to(file, session, {&next, 1});
    CHECK(file.verify().empty());
  }
  std::vector<SearchEvent> all = written;
  all.push_back(next);
  all.back().actor = "ada";  // not its owner
  CHECK(SessionFile(path, SessionAccess::read).events(session) == all);
  CHECK(refusal_of_sql(path, "UPDATE event SET at_ms = 1") == "events are never changed");
  tamper(path, "DELETE FROM event WHERE seq = 25");
  CHECK_THROWS_AS(static_cast<void>(SessionFile(path, SessionAccess::read).events(session)), CorruptFileError);
}

TEST_CASE_FIXTURE(InFolderOfLog,
                  "a file of searches of version 2 is read and names of its requests lose the person before them") {
  std::filesystem::copy_file(test::tests_path("io/search/session/version_2.search"), path);
  const std::string session = SessionFile(path, SessionAccess::read).sessions().front().id;
  std::vector<KeptRequest> requests = {{"bob", "REQ1", 3}, {"ada", "REQ1", 5}, {"ada", "bob/REQ2", 6}, {"bob", "bob/REQ3", 7}};
  CHECK(SessionFile(path, SessionAccess::read).requests(session) == requests);
  {
    SessionFile file(path, SessionAccess::write);
    CHECK(file.requests(session) == requests);
    SearchEvent next = {.sequence = 8, .kind = SearchEventKind::noted, .note = "x"};
    next.actor = "bob";
    append_to(file, session, {&next, 1}, "bob/REQ4");
    requests.push_back({"bob", "bob/REQ4", 8});  // one of a later version is called what it is called
    CHECK(file.requests(session) == requests);
    CHECK(file.verify().empty());
  }
  CHECK(SessionFile(path, SessionAccess::read).requests(session) == requests);
}

TEST_CASE_FIXTURE(InFolderOfLog, "a file of searches of version 3 takes separations once it was written to") {
  const std::string session = make_file_to_tamper_with(path);
  const std::vector<SearchEvent> written = SessionFile(path, SessionAccess::read).events(session);
  run_sql(path, test::kSqlOfVersion3);
  CHECK(SessionFile(path, SessionAccess::read).events(session) == written);
  SearchEvent next = {.sequence = std::ssize(written) + 1, .kind = SearchEventKind::separated, .document = 3};
  {
    SessionFile file(path, SessionAccess::write);
    append_to(file, session, {&next, 1});
    CHECK(file.verify().empty());
  }
  CHECK(SessionFile(path, SessionAccess::read).events(session).back().kind == SearchEventKind::separated);
}

TEST_CASE_FIXTURE(InFolderOfLog, "a row of an unknown kind is named and not misread") {
  const std::string session = make_file_to_tamper_with(path);
  tamper(path, "UPDATE event SET kind = 'closed' WHERE seq = 6");
  CHECK_THROWS_AS(static_cast<void>(SessionFile(path, SessionAccess::read).events(session)), CorruptFileError);
}

TEST_CASE_FIXTURE(InFolderOfLog, "a file of searches of a newer version, or without its triggers, is refused") {
  make_file_to_tamper_with(path);
  run_sql(path, "PRAGMA user_version = 5");
  CHECK(message_of_opening<FormatError>(path, SessionAccess::write) ==
        path + ": expected version 1 to 4 of the file, which this program knows, found version 5: use a newer inkling");
  run_sql(path, "PRAGMA user_version = 4; DROP TRIGGER event_is_not_deleted");
  CHECK(message_of_opening<CorruptFileError>(path, SessionAccess::read).find("event_is_not_deleted") != std::string::npos);
}

TEST_CASE_FIXTURE(InFolderOfLog,
                  "a trigger or view of another program is refused and a later one cannot keep an event out silently") {
  constexpr const char* quiet = "CREATE TRIGGER quiet BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END";
  {
    SessionFile file(path, SessionAccess::write);
    const std::string session = file.begin(facts_named("one")).id;
    run_sql(path, quiet);
    const auto events = test::RandomSearchEvents(6).several(1, 2);
    CHECK_THROWS_AS(append_to(file, session, events), CorruptFileError);
    CHECK(file.events(session).empty());
  }
  for (const SessionAccess access : {SessionAccess::read, SessionAccess::write})
    CHECK(message_of_opening<CorruptFileError>(path, access).find("\"quiet\"") != std::string::npos);
  run_sql(path, "DROP TRIGGER quiet; CREATE VIEW seen AS SELECT 1");
  CHECK(message_of_opening<CorruptFileError>(path, SessionAccess::read).find("\"seen\"") != std::string::npos);
  run_sql(path, "DROP VIEW seen; ANALYZE");
  CHECK(message_of_opening<CorruptFileError>(path, SessionAccess::write) == "none");
}

TEST_CASE_FIXTURE(InFolderOfLog, "a writer whose lock was removed keeps nothing more") {
  SessionFile file(path, SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  std::filesystem::remove(path + "-lock");
  const auto events = test::RandomSearchEvents(6).several(1, 2);
  CHECK_THROWS_AS(append_to(file, session, events), SystemError);
  CHECK(file.events(session).empty());
}

TEST_CASE_FIXTURE(InFolderOfLog, "a flipped bit of a file of searches is found by the next search in it or makes no difference") {
  const std::string session = make_file_to_tamper_with(path);
  const std::vector<SearchEvent> written = SessionFile(path, SessionAccess::read).events(session);
  const auto requests = SessionFile(path, SessionAccess::read).requests(session);
  const auto bits = static_cast<std::int64_t>(std::filesystem::file_size(path)) * 8;
  test::RandomSearchEvents random(8);
  int found = 0;
  for (int n = 0; n < 600; ++n) {
    const std::streamoff bit = random.whole(0, bits - 1);
    CAPTURE(bit);
    test::flip_bit_of(path, bit);
    try {
      const SessionFile file(path, SessionAccess::read);
      if (!file.verify().empty()) ++found;
      // Damage must also be found when a search continues without `verify`.
      const bool is_as_written = file.sessions().size() == 1 && file.events(session) == written;
      CHECK(is_as_written);
      CHECK(file.requests(session) == requests);
    } catch (const FormatError&) {
      ++found;
    } catch (const SystemError&) {
      ++found;
    }
    test::flip_bit_of(path, bit);
  }
  CHECK(found > 0);
  CHECK(SessionFile(path, SessionAccess::read).verify().empty());
}

TEST_CASE_FIXTURE(InFolderOfLog, "a file of searches without its end is named as damaged") {
  const std::string session = make_file_to_tamper_with(path);
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size - 4096);
  CHECK_THROWS_AS(
      {
        const SessionFile file(path, SessionAccess::read);
        if (file.verify().empty()) static_cast<void>(file.events(session));
        if (!file.verify().empty()) throw CorruptFileError(path, "found by verify");
      },
      CorruptFileError);
}

}  // namespace
}  // namespace inkling
