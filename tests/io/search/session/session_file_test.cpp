#include "io/search/session/session_file.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/system/process.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/session_files.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::append_to, test::facts_named, test::message_of_opening, test::run_sql;

TEST_CASE_FIXTURE(test::InFolder, "a file of searches returns every event of every search even after it was closed") {
  const std::string path = folder.file("log.db");
  test::RandomSearchEvents random(2);
  std::vector<SessionFacts> sessions;
  std::vector<std::vector<SearchEvent>> events(3);
  {
    SessionFile file(path, SessionAccess::write);
    for (const char* const name : {"gardens", "", "Gärten\n"}) sessions.push_back(file.begin(facts_named(name)));
    for (int round = 0; round < 300; ++round) {
      std::vector<SearchEvent>& log = events[static_cast<std::size_t>(random.whole(0, 2))];
      const auto more = random.several(static_cast<std::int64_t>(log.size()) + 1, random.whole(0, 3));
      append_to(file, sessions[static_cast<std::size_t>(&log - events.data())].id, more);
      log.insert(log.end(), more.begin(), more.end());
    }
  }
  CHECK(folder.entries() == 1);
  const SessionFile file(path, SessionAccess::read);
  const std::vector<SessionFacts> found = file.sessions();
  REQUIRE(found.size() == 3);
  for (std::size_t n = 0; n < 3; ++n) {
    CHECK(found[n].id == sessions[n].id);
    CHECK(found[n].id.size() == 16);
    CHECK(found[n].name == sessions[n].name);
    CHECK(found[n].owner == "ada");
    CHECK(found[n].pool == "/pools/novels");
    CHECK(found[n].fingerprint == "0123456789abcdef");
    CHECK(found[n].policy == "ff-oful");
    CHECK(found[n].options == R"({"lambda":1})");
    CHECK(found[n].seed == 0xFEDC'BA98'7654'3210);
    CHECK(found[n].events == static_cast<std::int64_t>(events[n].size()));
    CHECK(file.events(found[n].id) == events[n]);
  }
  CHECK(file.verify().empty());
}

TEST_CASE_FIXTURE(test::InFolder, "a file of searches is read while another program writes to it") {
  SessionFile writer(folder.file("log.db"), SessionAccess::write);
  const std::string session = writer.begin(facts_named("one")).id;
  const SessionFile reader(folder.file("log.db"), SessionAccess::read);
  const auto events = test::RandomSearchEvents(3).several(1, 5);
  append_to(writer, session, events);
  CHECK(reader.events(session) == events);
}

TEST_CASE_FIXTURE(test::InFolder, "a second writer of a file of searches is refused at once") {
  const std::string path = folder.file("log.db");
  const bool has_link = test::made_link(path, folder.file("link.db"));
  {
    const SessionFile first(path, SessionAccess::write);
    for (const std::string& name : {path, has_link ? folder.file("link.db") : folder.file("./log.db")}) {
      const std::string message = message_of_opening<FormatError>(name, SessionAccess::write);
      CHECK(message == name + ": expected no other program that writes to this file, found one (process " +
                           std::to_string(process_number()) + "): end it first, or use another file");
    }
  }
  CHECK(message_of_opening<FormatError>(path, SessionAccess::write) == "none");
  // What a killed program leaves behind.
  std::ofstream(path + "-lock") << "1";
  CHECK(message_of_opening<FormatError>(path, SessionAccess::write) == "none");
}

TEST_CASE_FIXTURE(test::InFolder, "an append fails while another program changes the file and succeeds afterwards") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  const auto events = test::RandomSearchEvents(9).several(1, 2);
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(folder.file("log.db").c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK_THROWS_WITH_AS(append_to(file, session, events),
                       (folder.file("log.db") + ": expected no other program that changes this file, found one: end "
                                                "it, or wait until it is done")
                           .c_str(),
                       FormatError);
  sqlite3_close(other);
  append_to(file, session, events);
  CHECK(file.events(session) == events);
}

TEST_CASE_FIXTURE(test::InFolder, "nothing is kept in a file that was removed or replaced while it was open") {
  const std::string path = folder.file("log.db");
  SessionFile file(path, SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  const auto events = test::RandomSearchEvents(10).several(1, 2);
  std::filesystem::rename(path, folder.file("away.db"));
  CHECK_THROWS_AS(append_to(file, session, events), SystemError);
  std::ofstream(path) << "another file";
  CHECK_THROWS_AS(append_to(file, session, events), SystemError);
  std::filesystem::rename(folder.file("away.db"), path);
  append_to(file, session, events);
  CHECK(file.events(session) == events);
}

TEST_CASE_FIXTURE(test::InFolder, "only the next event can be appended and a refused one is not in the file") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::string one = file.begin(facts_named("one")).id;
  const std::string two = file.begin(facts_named("two")).id;
  test::RandomSearchEvents random(4);
  const auto events = random.several(1, 6);
  append_to(file, one, std::span(events).first(2));
  CHECK_THROWS_WITH_AS(append_to(file, one, std::span(events).subspan(3)),
                       (folder.file("log.db") + ": search " + one +
                        ", event 4: expected event 3 as the next one: something else was appended to this search meanwhile, "
                        "open it again")
                           .c_str(),
                       FormatError);
  CHECK_THROWS_AS(append_to(file, one, std::span(events).first(1)), FormatError);
  CHECK_THROWS_AS(append_to(file, "nowhere", std::span(events).first(1)), FormatError);
  // A good batch before a bad one is not kept either.
  const SessionBatch batches[] = {{two, "ada", events}, {one, "ada", std::span(events).subspan(3)}};
  CHECK_THROWS_AS(file.append(batches), FormatError);
  CHECK(file.events(two).empty());
  append_to(file, one, std::span(events).subspan(2));
  CHECK(file.events(one) == events);
  CHECK(file.verify().empty());
}

TEST_CASE_FIXTURE(test::InFolder, "an event that would read back differently is refused") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  std::vector<SearchEvent> bad(4);
  for (SearchEvent& event : bad) event.sequence = 1;
  bad[0].note = "\xFF";
  bad[1].count = 3;
  bad[2].kind = SearchEventKind::shown;
  bad[2].document = 1;
  bad[3].kind = SearchEventKind::rated;
  bad[3].document = 1;
  bad[3].reward = std::numeric_limits<double>::quiet_NaN();
  for (const SearchEvent& event : bad) CHECK_THROWS_AS(append_to(file, session, std::span(&event, 1)), FormatError);
  CHECK(file.events(session).empty());
}

TEST_CASE_FIXTURE(test::InFolder, "a request that was already carried out is found by its name and not repeated") {
  SessionFile file(folder.file("log.db"), SessionAccess::write);
  const std::string one = file.begin(facts_named("one")).id;
  const std::string two = file.begin(facts_named("two")).id;
  test::RandomSearchEvents random(5);
  const auto events = random.several(1, 6);
  append_to(file, one, std::span(events).first(2));
  append_to(file, one, std::span(events).subspan(2, 2), "click");
  append_to(file, two, std::span(events).first(1), "click");
  using Requests = std::vector<KeptRequest>;
  CHECK((file.requests(one) == Requests{{"ada", "click", 3}}));
  CHECK((file.requests(two) == Requests{{"ada", "click", 1}}));
  CHECK_THROWS_AS(append_to(file, one, std::span(events).subspan(4), "click"), FormatError);
  CHECK(file.events(one).size() == 4);
  SessionBatch of_bob = {one, "bob", std::span(events).subspan(4), "click"};
  file.append({&of_bob, 1});  // each person gives names of their own
  of_bob = {two, "ada", std::span(events).subspan(1, 1), "bob/click"};
  file.append({&of_bob, 1});
  CHECK((file.requests(one) == Requests{{"ada", "click", 3}, {"bob", "click", 5}}));
  CHECK((file.requests(two) == Requests{{"ada", "click", 1}, {"ada", "bob/click", 2}}));
  CHECK(file.verify().empty());
}

TEST_CASE_FIXTURE(test::InFolder, "a file that is no file of searches is refused with the reason and a remedy") {
  const std::string path = folder.file("log.db");
  CHECK(message_of_opening<SystemError>(path, SessionAccess::read) == path + ": cannot open: No such file or directory");
  CHECK(message_of_opening<SystemError>(folder.path().generic_string(), SessionAccess::write).find("Is a directory") !=
        std::string::npos);
  CHECK(message_of_opening<SystemError>(folder.file("no/log.db"), SessionAccess::write).find("No such file") !=
        std::string::npos);
  std::ofstream(path) << std::string(5000, 'x');
  for (const SessionAccess access : {SessionAccess::read, SessionAccess::write})
    CHECK(message_of_opening<CorruptFileError>(path, access).find("expected a SQLite database") != std::string::npos);
  CHECK(test::text_of(path) == std::string(5000, 'x'));
  run_sql(folder.file("other.db"), "CREATE TABLE t (x); PRAGMA user_version = 7");
  for (const SessionAccess access : {SessionAccess::read, SessionAccess::write}) {
    CHECK(message_of_opening<FormatError>(folder.file("other.db"), access).find("database of another program") !=
          std::string::npos);
  }
  std::ofstream(folder.file("empty.db")).flush();
  CHECK(message_of_opening<FormatError>(folder.file("empty.db"), SessionAccess::read).find("found an empty one") !=
        std::string::npos);
  CHECK(message_of_opening<FormatError>(folder.file("empty.db"), SessionAccess::write) == "none");
  std::filesystem::create_hard_link(folder.file("other.db"), folder.file("same.db"));
  CHECK(message_of_opening<FormatError>(folder.file("same.db"), SessionAccess::write).find("found 2 (hard links)") !=
        std::string::npos);
}

}  // namespace
}  // namespace inkling
