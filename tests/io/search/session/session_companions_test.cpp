// Files of searches whose write-ahead log, index or lock was removed, cut, replaced, or left behind.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_writer.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/session_files.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::append_to, test::facts_named;

namespace fs = std::filesystem;

std::size_t events_in(const std::string& path, const std::string& session) {
  const SessionFile file(path, SessionAccess::read);
  CHECK(file.verify().empty());
  return file.events(session).size();
}

// Copies the file without its companions, as cp does. Returns the path of the copy.
std::string copied(const test::TemporaryFolder& folder, const std::string& path) {
  const std::string copy = folder.file("copy.db");
  for (const char* const beside : {"", "-wal", "-shm", "-lock"}) fs::remove(copy + beside);
  fs::copy_file(path, copy);
  return copy;
}

TEST_CASE_FIXTURE(test::InFolder, "a copy of the file of searches without its companions has every event") {
  const std::string path = folder.file("log.db");
  SessionFile file(path, SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  CHECK(events_in(copied(folder, path), session) == 0);
  const auto events = test::RandomSearchEvents(6).several(1, 40);
  for (std::size_t n = 0; n < events.size(); ++n) {
    append_to(file, session, std::span(events).subspan(n, 1));
    CHECK(events_in(copied(folder, path), session) == n + 1);
  }
}

TEST_CASE_FIXTURE(test::InFolder,
                  "a copy of the file without its companions has every event older than a second while threads append") {
  const std::string path = folder.file("log.db");
  SessionFile file(path, SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  SessionWriter writer(std::move(file));
  const auto events = test::RandomSearchEvents(6).several(1, 40);
  std::vector<std::pair<std::chrono::steady_clock::time_point, std::size_t>> kept = {{{}, 0}};
  std::size_t refused = 0;
  for (std::size_t n = 0; n < events.size(); ++n) {
    writer.append({session, "ada", std::span(events).subspan(n, 1)});
    kept.emplace_back(std::chrono::steady_clock::now(), n + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    const auto second_ago = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    std::size_t older = 0;
    for (const auto& [at, number] : kept)
      if (at < second_ago) older = number;
    try {
      CHECK(events_in(copied(folder, path), session) >= older);
    } catch (const CorruptFileError&) {
      ++refused;  // the copy has half of a write
    }
  }
  CHECK(refused <= events.size() / 10);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(events_in(copied(folder, path), session) == events.size());
}

TEST_CASE_FIXTURE(test::InFolder, "a complete copy is made while the file is open for writing") {
  const std::string path = folder.file("log.db");
  SessionFile file(path, SessionAccess::write);
  file.checkpoints_when_told();
  const std::string session = file.begin(facts_named("one")).id;
  append_to(file, session, test::RandomSearchEvents(6).several(1, 40));
  const std::string copy = folder.file("copy.db");
  std::ofstream(copy, std::ios::binary) << SessionFile(path, SessionAccess::read).copy();
  CHECK(events_in(copy, session) == 40);
}

TEST_CASE_FIXTURE(test::InFolder,
                  "no event is lost or wrongly acknowledged if companions of the file of searches are removed or replaced") {
  for (const char* const beside : {"-wal", "-shm"}) {
    for (const bool is_replaced : {false, true}) {
      CAPTURE(beside);
      CAPTURE(is_replaced);
      const std::string path = folder.file(std::string("log") + beside + (is_replaced ? "r" : ""));
      SessionFile file(path, SessionAccess::write);
      file.checkpoints_when_told();
      const std::string session = file.begin(facts_named("one")).id;
      const auto events = test::RandomSearchEvents(6).several(1, 21);
      append_to(file, session, std::span(events).first(20));
      CHECK(file.events(session).size() == 20);
      fs::remove(path + beside);
      if (is_replaced) std::ofstream(path + beside) << "other";
      for (int n = 0; n < 2; ++n) CHECK_THROWS_AS(append_to(file, session, std::span(events).subspan(20)), SystemError);
      CHECK(events_in(copied(folder, path), session) == 20);
    }
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a cut index is named") {
  const auto events = test::RandomSearchEvents(6).several(1, 21);
  for (const std::uintmax_t size : {0U, 100U, 4096U, 20'000U}) {
    CAPTURE(size);
    const std::string path = folder.file("log" + std::to_string(size));
    std::string session;
    {
      SessionFile file(path, SessionAccess::write);
      file.checkpoints_when_told();
      session = file.begin(facts_named("one")).id;
      append_to(file, session, std::span(events).first(20));
      fs::resize_file(path + "-shm", size);
      for (int n = 0; n < 2; ++n) CHECK_THROWS_AS(append_to(file, session, std::span(events).subspan(20)), CorruptFileError);
      CHECK_FALSE(file.checkpoint());
    }
    CHECK(events_in(path, session) == 20);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a write-ahead log that was cut or written over never gets into the file") {
  const auto events = test::RandomSearchEvents(6).several(1, 21);
  for (const char* const how : {"empty", "half", "zeros"}) {
    CAPTURE(how);
    const std::string path = folder.file(std::string("log-") + how);
    std::string session;
    {
      SessionFile file(path, SessionAccess::write);
      file.checkpoints_when_told();
      session = file.begin(facts_named("one")).id;
      append_to(file, session, std::span(events).first(10));
      REQUIRE(file.checkpoint());
      append_to(file, session, std::span(events).subspan(10, 10));
      const auto size = fs::file_size(path + "-wal");
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than a tick of the clock of files
      fs::resize_file(path + "-wal", std::string(how) == "half" ? size / 2 : 0);
      if (std::string(how) == "zeros") fs::resize_file(path + "-wal", size);
      CHECK_THROWS_AS(append_to(file, session, std::span(events).subspan(20)), SystemError);
      CHECK_FALSE(file.checkpoint());
    }
    CHECK(events_in(copied(folder, path), session) == 10);
    // The rest of the log may add events, but never removes any.
    CHECK(events_in(path, session) >= 10);
  }
}

TEST_CASE_FIXTURE(test::InFolder,
                  "a write-ahead log that is older than the file, or of another one, is refused and changes nothing") {
  const std::string path = folder.file("log.db");
  const auto events = test::RandomSearchEvents(6).several(1, 30);
  std::string session;
  {
    SessionFile other(folder.file("other.db"), SessionAccess::write);
    other.checkpoints_when_told();
    append_to(other, other.begin(facts_named("other")).id, events);
    fs::copy_file(folder.file("other.db-wal"), folder.file("other"));
  }
  {
    SessionFile file(path, SessionAccess::write);
    file.checkpoints_when_told();
    session = file.begin(facts_named("one")).id;
    append_to(file, session, std::span(events).first(10));
    fs::copy_file(path + "-wal", folder.file("older"));
    append_to(file, session, std::span(events).subspan(10));
  }
  REQUIRE(events_in(path, session) == 30);
  for (const char* const which : {"older", "other"}) {
    for (const SessionAccess access : {SessionAccess::read, SessionAccess::write}) {
      CAPTURE(which);
      const std::string copy = copied(folder, path);
      fs::copy_file(folder.file(which), copy + "-wal");
      CHECK(test::message_of_opening<CorruptFileError>(copy, access).find("-wal") != std::string::npos);
      for (const char* const beside : {"-wal", "-shm"}) fs::remove(copy + beside);
      CHECK(events_in(copy, session) == 30);
    }
  }
}

}  // namespace
}  // namespace inkling
