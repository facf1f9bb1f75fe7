// A file of searches, its permissions, a pipe in its place, and a disk without room.
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <span>
#include <string>

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "engine/core/errors.hpp"
#include "io/search/session/session_file.hpp"
#include "tests/support/io/random_search_events.hpp"
#include "tests/support/io/session_files.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::append_to, test::facts_named, test::message_of_opening;

TEST_CASE_FIXTURE(test::InFolder, "a file of searches and its companions can be read by their user alone whatever the umask") {
  const std::string path = folder.file("log.db");
  const mode_t before = ::umask(0);
  SessionFile file(path, SessionAccess::write);
  static_cast<void>(file.begin(facts_named("gardens")));
  ::umask(before);
  CHECK(folder.entries() > 2);  // the file, its lock and SQLite's write-ahead log
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CAPTURE(entry.path().generic_string());
    struct stat found = {};
    REQUIRE(::stat(entry.path().c_str(), &found) == 0);
    CHECK((found.st_mode & 0777U) == 0600U);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "a pipe is no file of searches") {
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  CHECK(message_of_opening<SystemError>(folder.file("pipe"), SessionAccess::write).find("found a pipe or a device") !=
        std::string::npos);
}

// Limits the size of all files to this many bytes while the object lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t most) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before_) == 0);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {most, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_CASE_FIXTURE(test::InFolder, "an append without room on the disk keeps nothing and the next one succeeds") {
  const std::string path = folder.file("log.db");
  test::RandomSearchEvents random(7);
  const auto events = random.several(1, 400);
  std::string session;
  {
    SessionFile file(path, SessionAccess::write);
    session = file.begin(facts_named("one")).id;
    append_to(file, session, std::span(events).first(10));
    const auto size = std::filesystem::file_size(path + "-wal");
    for (const rlim_t more : {0U, 100U, 4096U, 6000U, 9000U}) {
      const FileSizeLimit limit(size + more);
      try {
        append_to(file, session, std::span(events).subspan(10));
        FAIL("there was no room");
      } catch (const SystemError& error) {
        CHECK((error.error_number() == EFBIG || error.error_number() == ENOSPC));
        CHECK(error.path() == path);
      }
      CHECK(file.events(session).size() == 10);
    }
    append_to(file, session, std::span(events).subspan(10));
    CHECK(file.events(session) == events);
  }
  CHECK(SessionFile(path, SessionAccess::read).events(session) == events);
}

}  // namespace
}  // namespace inkling
