// Makes files of searches for tests, and changes them as no program of ours would.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <sqlite3.h>

#include "io/search/session/session_file.hpp"
#include "tests/support/engine/messages.hpp"

namespace inkling::test {

/// Makes a file of version 3 of one of version 4 without separations.
inline constexpr const char* kSqlOfVersion3 =
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, ',''separated''', '') WHERE name = 'event'; PRAGMA "
    "writable_schema = RESET; PRAGMA user_version = 3; ";

inline SessionFacts facts_named(const std::string& name) {
  return {.id = {},
          .name = name,
          .owner = "ada",
          .pool = "/pools/novels",
          .fingerprint = "0123456789abcdef",
          .policy = "ff-oful",
          .options = R"({"lambda":1})",
          .seed = 0xFEDC'BA98'7654'3210};
}

inline void append_to(SessionFile& file, const std::string& session, std::span<const SearchEvent> events,
                      const std::optional<std::string>& request = {}) {
  const SessionBatch batch = {session, "ada", events, request};
  file.append(std::span(&batch, 1));
}

// Runs SQL on the file as another program could, and leaves nothing in the write-ahead log.
inline void run_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  char* message = nullptr;
  const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  INFO(std::string(message == nullptr ? "" : message));
  CHECK(code == SQLITE_OK);
  sqlite3_free(message);
  sqlite3_close(database);
}

// The message with which a trigger refuses this SQL; "none" if it is not refused.
inline std::string refusal_of_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  char* message = nullptr;
  sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
  std::string refusal = message == nullptr ? "none" : message;
  sqlite3_free(message);
  sqlite3_close(database);
  return refusal;
}

// Changes rows without the triggers: drops them first, and makes them again afterwards.
inline void tamper(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  std::vector<std::pair<std::string, std::string>> triggers;  // name and text
  const auto keep = [](void* kept, int, char** columns, char**) {
    static_cast<decltype(triggers)*>(kept)->emplace_back(columns[0], columns[1]);
    return 0;
  };
  sqlite3_exec(database, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'", keep, &triggers, nullptr);
  sqlite3_close(database);
  std::string script = "PRAGMA synchronous = OFF;";
  for (const auto& [name, text] : triggers) script += "DROP TRIGGER " + name + ";";
  script += sql + ";";
  for (const auto& [name, text] : triggers) script += text + ";";
  run_sql(path, script);
}

// Six events, of which the fourth is a rating made by the request "click".
inline std::string make_file_to_tamper_with(const std::string& path) {
  SessionFile file(path, SessionAccess::write);
  const std::string session = file.begin(facts_named("one")).id;
  std::vector<SearchEvent> events(6);
  for (std::size_t n = 0; n < events.size(); ++n) {
    events[n].sequence = static_cast<std::int64_t>(n) + 1;
    events[n].note = "note " + std::to_string(n);
  }
  events[3].kind = SearchEventKind::skipped;
  events[3].document = 8;
  events[3].note.clear();
  append_to(file, session, std::span(events).first(3));
  append_to(file, session, std::span(events).subspan(3), "click");
  return session;
}

template <typename Error>
std::string message_of_opening(const std::string& path, SessionAccess access) {
  return error_of<Error>([&] { const SessionFile file(path, access); });
}

}  // namespace inkling::test
