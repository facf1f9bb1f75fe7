#include "io/search/session/session_tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

constexpr std::int64_t kSessionApplication = 0x494E4B4C;  // "INKL"
constexpr std::int64_t kSessionVersion = 4;
constexpr std::int64_t kVersionWithoutSeparations = 3;
constexpr std::int64_t kVersionWithJoinedNames = 2;
constexpr std::int64_t kVersionWithoutEnds = 1;

// The statements as SQLite stores them in the file. The table of events of version 3 lacks one kind. Version 2 also lacks the last
// statement, and names a request without its person. Version 1 has the first ones alone, and lacks one more kind.
constexpr std::size_t kSchemaWithoutEnds = 9;
constexpr std::size_t kSchemaWithJoinedNames = 12;
constexpr std::size_t kEventTable = 1;
constexpr std::size_t kRequestIndex = 2;
constexpr std::size_t kNextEvent = 3;
constexpr const char* kRequestIndexWithoutPerson =
    "CREATE UNIQUE INDEX once ON event (session, request) WHERE request IS NOT NULL";
constexpr const char* kNextEventWithoutPerson =
    "CREATE TRIGGER event_is_the_next_one BEFORE INSERT ON event WHEN NEW.seq IS NOT (SELECT "
    "coalesce(max(seq), 0) + 1 FROM event WHERE session = NEW.session) OR EXISTS (SELECT 1 FROM event WHERE "
    "session = NEW.session AND request = NEW.request) BEGIN SELECT RAISE(ABORT, 'events are only appended, "
    "each request once'); END";
constexpr const char* kEventTableWithoutAims =
    "CREATE TABLE event (session TEXT NOT NULL REFERENCES session(id), seq INTEGER NOT NULL, at_ms INTEGER "
    "NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN "
    "('shown','rated','marked','forgot','skipped','sampled','undone','redone','noted','closed')), document "
    "INTEGER, body TEXT NOT NULL, request TEXT, chain INTEGER NOT NULL, PRIMARY KEY (session, seq)) STRICT, "
    "WITHOUT ROWID";
constexpr const char* kEventTableWithoutSeparations =
    "CREATE TABLE event (session TEXT NOT NULL REFERENCES session(id), seq INTEGER NOT NULL, at_ms INTEGER "
    "NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN "
    "('shown','rated','marked','forgot','skipped','sampled','undone','redone','noted','aimed','closed')), "
    "document INTEGER, body TEXT NOT NULL, request TEXT, chain INTEGER NOT NULL, PRIMARY KEY (session, seq)) "
    "STRICT, WITHOUT ROWID";
constexpr std::array<const char*, 13> kSessionSchema = {
    "CREATE TABLE session (id TEXT PRIMARY KEY, name TEXT NOT NULL, owner TEXT NOT NULL, pool TEXT NOT NULL, "
    "pool_checksum TEXT NOT NULL, policy TEXT NOT NULL, options TEXT NOT NULL, seed INTEGER NOT NULL, "
    "created_ms INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT",
    "CREATE TABLE event (session TEXT NOT NULL REFERENCES session(id), seq INTEGER NOT NULL, at_ms INTEGER "
    "NOT NULL, actor TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN "
    "('shown','rated','marked','forgot','skipped','sampled','undone','redone','noted','aimed','closed','separated')), "
    "document INTEGER, body TEXT NOT NULL, request TEXT, chain INTEGER NOT NULL, PRIMARY KEY (session, seq)) "
    "STRICT, WITHOUT ROWID",
    "CREATE UNIQUE INDEX once ON event (session, actor, request) WHERE request IS NOT NULL",
    // These two triggers refuse REPLACE, which deletes the old row without running the triggers against deletion.
    "CREATE TRIGGER event_is_the_next_one BEFORE INSERT ON event WHEN NEW.seq IS NOT (SELECT "
    "coalesce(max(seq), 0) + 1 FROM event WHERE session = NEW.session) OR EXISTS (SELECT 1 FROM event WHERE "
    "session = NEW.session AND actor = NEW.actor AND request = NEW.request) BEGIN SELECT RAISE(ABORT, 'events "
    "are only appended, each request once'); END",
    "CREATE TRIGGER session_is_a_new_one BEFORE INSERT ON session WHEN EXISTS (SELECT 1 FROM session WHERE "
    "id = NEW.id) BEGIN SELECT RAISE(ABORT, 'searches are never replaced'); END",
    "CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never "
    "changed'); END",
    "CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never "
    "deleted'); END",
    "CREATE TRIGGER session_is_not_changed BEFORE UPDATE ON session BEGIN SELECT RAISE(ABORT, 'searches are "
    "never changed'); END",
    "CREATE TRIGGER session_is_not_deleted BEFORE DELETE ON session BEGIN SELECT RAISE(ABORT, 'searches are "
    "never deleted'); END",
    "CREATE TABLE ending (session TEXT PRIMARY KEY, events INTEGER NOT NULL, chain INTEGER NOT NULL) STRICT, "
    "WITHOUT ROWID",
    "CREATE TRIGGER ending_only_grows BEFORE UPDATE ON ending WHEN NEW.session IS NOT OLD.session OR "
    "NEW.events <= OLD.events BEGIN SELECT RAISE(ABORT, 'searches only grow'); END",
    "CREATE TRIGGER ending_is_not_deleted BEFORE DELETE ON ending BEGIN SELECT RAISE(ABORT, 'searches are "
    "never deleted'); END",
    "CREATE TABLE joined (session TEXT PRIMARY KEY, events INTEGER NOT NULL) STRICT, WITHOUT ROWID",
};

// The XXH3 of fields, written so that no field can be mistaken for a part of another one.
class RowSum {
 public:
  explicit RowSum(std::uint64_t before) { add(static_cast<std::int64_t>(before)); }

  void add(std::int64_t number) {
    auto bits = static_cast<std::uint64_t>(number);
    bytes_ += 'i';
    for (int n = 0; n < 8; ++n, bits >>= 8U) bytes_ += static_cast<char>(bits & 0xFFU);
  }
  void add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
  }
  template <typename Value>
  void add(const std::optional<Value>& maybe) {
    bytes_ += maybe ? '+' : '-';
    if (maybe) add(*maybe);
  }

  [[nodiscard]] std::uint64_t sum() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }

 private:
  std::string bytes_;
};

bool is_empty_database(SqliteDatabase& database) {
  return database.number("SELECT count(*) FROM sqlite_schema") == 0 && database.number("PRAGMA application_id") == 0 &&
         database.number("PRAGMA user_version") == 0;
}

bool is_in_schema(SqliteDatabase& database, std::string_view statement) {
  SqlStatement in_file(database, "SELECT count(*) FROM sqlite_schema WHERE sql = ?1");
  SqlRun rows(in_file, {statement});
  return rows.next() && rows.integer(0) == 1;
}

std::vector<const char*> schema_of(std::int64_t version) {
  std::vector<const char*> schema(kSessionSchema.begin(), kSessionSchema.end());
  if (version >= kSessionVersion) return schema;
  schema[kEventTable] = kEventTableWithoutSeparations;
  if (version == kVersionWithoutSeparations) return schema;
  schema.resize(version == kVersionWithoutEnds ? kSchemaWithoutEnds : kSchemaWithJoinedNames);
  schema[kRequestIndex] = kRequestIndexWithoutPerson;
  schema[kNextEvent] = kNextEventWithoutPerson;
  if (version == kVersionWithoutEnds) schema[kEventTable] = kEventTableWithoutAims;
  return schema;
}

// SQLite cannot change a CHECK of a table, so the rows move into a new table. The triggers and indexes of the old one are
// dropped with it.
void take_events_into_new_table(SqliteDatabase& database) {
  database.run("ALTER TABLE event RENAME TO event_before");
  database.run(kSessionSchema[kEventTable]);
  database.run("INSERT INTO event SELECT * FROM event_before");
  database.run("DROP TABLE event_before");
}

// A trigger or a view of another program could keep events out of the tables.
void check_nothing_else_acts(SqliteDatabase& database, std::span<const char* const> schema) {
  SqlStatement actors(database, "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')");
  SqlRun rows(actors);
  while (rows.next()) {
    if (std::ranges::find(schema, rows.text(2)) != schema.end()) continue;
    throw CorruptFileError(database.path(), "expected no {} of another program, found {}: put a copy of the file in its place",
                           rows.text(0), quoted_text(rows.text(1)));
  }
}

}  // namespace

std::uint64_t chain_of(const SessionFacts& facts) {
  RowSum row(0);
  for (const std::string* text :
       {&facts.id, &facts.name, &facts.owner, &facts.pool, &facts.fingerprint, &facts.policy, &facts.options})
    row.add(std::string_view(*text));
  row.add(static_cast<std::int64_t>(facts.seed));
  row.add(facts.created_ms);
  return row.sum();
}

std::uint64_t chain_of(const EventRow& event, std::uint64_t before) {
  RowSum row(before);
  row.add(event.session);
  row.add(event.sequence);
  row.add(event.at_ms);
  row.add(event.actor);
  row.add(event.kind);
  row.add(event.document);
  row.add(event.body);
  row.add(event.request);
  return row.sum();
}

SessionRow session_row_at(const SqlRun& rows) {
  SessionRow row;
  SessionFacts& facts = row.facts;
  int column = 0;
  for (std::string* text : {&facts.id, &facts.name, &facts.owner, &facts.pool, &facts.fingerprint, &facts.policy, &facts.options})
    *text = rows.text(column++);
  facts.seed = static_cast<std::uint64_t>(rows.integer(column++));
  facts.created_ms = rows.integer(column++);
  row.chain = static_cast<std::uint64_t>(rows.integer(column++));
  facts.events = rows.integer(column);
  return row;
}

EventRow event_row_at(const SqlRun& rows) {
  EventRow row;
  row.session = rows.text(0);
  row.sequence = rows.integer(1);
  row.at_ms = rows.integer(2);
  row.actor = rows.text(3);
  row.kind = rows.text(4);
  if (!rows.is_null(5)) row.document = rows.integer(5);
  row.body = rows.text(6);
  if (!rows.is_null(7)) row.request = rows.text(7);
  row.chain = static_cast<std::uint64_t>(rows.integer(8));
  return row;
}

SearchEvent event_of(const EventRow& row, const std::string& place) {
  const std::optional<SearchEventKind> kind = value_of(row.kind, kSearchEventNames);
  if (!kind)
    throw FormatError(place, fmt::format("expected a kind of event that this version knows, found {}: use a "
                                         "newer one",
                                         quoted_text(row.kind)));
  SearchEvent event;
  event.sequence = row.sequence;
  event.at_ms = row.at_ms;
  event.kind = *kind;
  if (row.document) {
    if (!std::in_range<DocumentId>(*row.document))
      throw FormatError(place, fmt::format("expected a document, found {}", *row.document));
    event.document = static_cast<DocumentId>(*row.document);
  }
  read_body(event, row.body, place);
  return event;
}

std::string checked_body(const SearchEvent& event, const std::string& place) {
  const bool is_whole = (event.kind != SearchEventKind::shown || (event.offer && event.document)) &&
                        (event.kind != SearchEventKind::forgot || event.feature);
  if (!is_whole) throw FormatError(place, fmt::format("expected a whole event of kind {}", search_event_name(event.kind)));
  std::string body = body_of(event);
  EventRow row;
  row.sequence = event.sequence;
  row.at_ms = event.at_ms;
  row.kind = search_event_name(event.kind);
  row.document = event.document;
  row.body = body;
  SearchEvent read = event_of(row, place);
  read.actor = event.actor;  // a column of its own
  if (read != event) throw FormatError(place, "expected an event whose texts are UTF-8, and nothing that its kind does not have");
  return body;
}

std::vector<SessionEnd> session_ends(SqliteDatabase& database) {
  std::vector<SessionEnd> ends;
  if (database.number("PRAGMA user_version") <= kVersionWithoutEnds) return ends;
  SqlStatement all(database, "SELECT session, events, chain FROM ending");
  for (SqlRun rows(all); rows.next();)
    ends.push_back({std::string(rows.text(0)), rows.integer(1), static_cast<std::uint64_t>(rows.integer(2))});
  return ends;
}

std::int64_t last_joined_name(SqliteDatabase& database, const std::string& session) {
  if (database.number("PRAGMA user_version") <= kVersionWithJoinedNames) return INT64_MAX;
  SqlStatement of_session(database, "SELECT events FROM joined WHERE session = ?1");
  SqlRun row(of_session, {std::string_view(session)});
  return row.next() ? row.integer(0) : 0;
}

void keep_end(SqlStatement& statement, const SessionEnd& end) {
  SqlRun(statement, {std::string_view(end.session), end.events, static_cast<std::int64_t>(end.chain)}).finish();
}

void make_tables(SqliteDatabase& database) {
  const bool is_new = is_empty_database(database);
  const std::int64_t version = is_new ? 0 : database.number("PRAGMA user_version");
  if (!is_new && (version < kVersionWithoutEnds || version >= kSessionVersion)) return;
  if (!is_new) check_tables(database);
  SqlTransaction transaction(database);
  if (!is_new) take_events_into_new_table(database);
  for (const char* const statement : kSessionSchema)
    if (!is_in_schema(database, statement)) database.run(statement);
  // Each transaction changes this row, and so at least one page. Its count tells which of two states of a file is the older one.
  if (version <= kVersionWithoutEnds)
    database.run("INSERT INTO ending SELECT '', (SELECT count(*) FROM session) + (SELECT count(*) FROM event), 0");
  if (version == kVersionWithoutEnds) {
    database.run(
        "INSERT INTO ending SELECT id, coalesce((SELECT max(seq) FROM event WHERE session = id), 0), "
        "coalesce((SELECT chain FROM event WHERE session = id ORDER BY seq DESC LIMIT 1), chain) FROM "
        "session");
  }
  if (version <= kVersionWithJoinedNames)
    database.run(
        "INSERT INTO joined SELECT id, max(seq) FROM session JOIN event ON session = id WHERE actor <> owner AND request IS NOT "
        "NULL GROUP BY id");
  database.run(fmt::format("PRAGMA application_id = {}", kSessionApplication).c_str());
  database.run(fmt::format("PRAGMA user_version = {}", kSessionVersion).c_str());
  transaction.commit();
}

void check_tables(SqliteDatabase& database) {
  const std::string& path = database.path();
  if (is_empty_database(database)) {
    throw FormatError(path,
                      "expected a file in which inkling keeps searches, found an empty one: name another file, or "
                      "begin a search in it with inkling search --searches");
  }
  if (const std::int64_t found = database.number("PRAGMA application_id"); found != kSessionApplication) {
    throw FormatError(path,
                      "expected a file in which inkling keeps searches, found a database of another program: name "
                      "another file");
  }
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version < kVersionWithoutEnds || version > kSessionVersion) {
    throw FormatError(path, fmt::format("expected version {} to {} of the file, which this program knows, found version {}: "
                                        "use a newer inkling",
                                        kVersionWithoutEnds, kSessionVersion, version));
  }
  const std::vector<const char*> schema = schema_of(version);
  for (const char* const statement : schema) {
    if (is_in_schema(database, statement)) continue;
    const std::string_view text(statement);
    throw CorruptFileError(path, "expected {}, found none or another one: put a copy of the file in its place",
                           quoted_text(text.substr(0, text.find_first_of("(", 0))));
  }
  check_nothing_else_acts(database, schema);
}

}  // namespace inkling
