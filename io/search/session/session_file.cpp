#include "io/search/session/session_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/sqlite/sqlite_database.hpp"
#include "io/base/sqlite/wal_watch.hpp"
#include "io/base/sqlite/writer_lock.hpp"
#include "io/search/session/session_tables.hpp"

namespace inkling {
namespace {

std::string event_place(const std::string& path, std::string_view session, std::int64_t sequence) {
  return fmt::format("{}: search {}, event {}", path, visible_text(session), sequence);
}

std::string new_session_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

// What the file alone knows, which what stands beside it can only add to. Nothing where nothing stands there; nothing
// either where the file alone cannot be read, as when a program was killed while it moved something into it.
std::vector<SessionEnd> ends_of_file_alone(const std::string& path) {
  if (!identity_of(resolved_path(path) + "-wal")) return {};
  try {
    SqliteDatabase alone(path, SqliteAccess::alone);
    check_tables(alone);
    return session_ends(alone);
  } catch (const FormatError&) {
    return {};
  } catch (const SystemError&) {
    return {};
  }
}

bool holds_end(SqliteDatabase& file, const SessionEnd& end) {
  try {
    if (end.session.empty()) return file.number("SELECT events FROM ending WHERE session = ''") >= end.events;
    SqlStatement event(file, "SELECT chain FROM event WHERE session = ?1 AND seq = ?2");
    SqlStatement session(file, "SELECT chain FROM session WHERE id = ?1 AND ?2 = 0");
    SqlRun rows(end.events == 0 ? session : event, {std::string_view(end.session), end.events});
    return rows.next() && static_cast<std::uint64_t>(rows.integer(0)) == end.chain;
  } catch (const FormatError&) {
    return false;
  }
}

[[noreturn]] void refuse_wal(const std::string& path) {
  throw CorruptFileError(
      path,
      fmt::format(
          "expected {0}-wal to hold what came after this file, found an older or a damaged one, or one of "
          "another file, which hides events that this file alone has. Move {0}-wal away",
          visible_text(path)));
}

}  // namespace

struct SessionFile::Database {
  Database(const std::string& path, SessionAccess access, std::span<const SessionEnd> ends_of_file_alone)
      : lock(access == SessionAccess::write ? std::make_unique<WriterLock>(path) : nullptr),
        file(path, access == SessionAccess::write ? SqliteAccess::write : SqliteAccess::read) {
    // A write-ahead log that is older, or of another file, would hide what the file has, and take its place.
    for (const SessionEnd& end : ends_of_file_alone)
      if (!holds_end(file, end)) refuse_wal(path);
    if (access == SessionAccess::write) make_tables(file);
    check_tables(file);
    file.tidy_at_close(true);
    if (access == SessionAccess::read) return;
    file.run("PRAGMA journal_mode = WAL");
    file.run("PRAGMA wal_autocheckpoint = 1");
    static_cast<void>(session_ends(file));  // only a look opens what stands beside
    static_cast<void>(file.checkpoint(Checkpoint::passive));
    data_version_ = file.number("PRAGMA data_version");
    watch_.emplace(path);
  }
  ~Database() {
    if (watch_ && (watch_->is_index_cut() || !watch_->is_as_left())) file.tidy_at_close(false);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&&) = delete;
  Database& operator=(Database&&) = delete;

  // Kept from the first use on.
  SqlStatement& statement(std::unique_ptr<SqlStatement>& kept, const std::string& sql) {
    if (!kept) kept = std::make_unique<SqlStatement>(file, sql);
    return *kept;
  }
  SqlStatement& last_event() {
    return statement(last_event_,
                     "SELECT seq, chain FROM event WHERE session = ?1 ORDER BY seq DESC LIMIT 1");
  }
  SqlStatement& all_sessions() { return sessions(all_sessions_, "ORDER BY rowid"); }
  SqlStatement& session_of_id() { return sessions(session_of_id_, "WHERE id = ?1"); }
  SqlStatement& new_session() {
    return statement(new_session_,
                     fmt::format("INSERT INTO session ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                                 "?10)",
                                 kSessionColumns));
  }
  SqlStatement& new_event() {
    return statement(
        new_event_,
        fmt::format("INSERT INTO event ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", kEventColumns));
  }
  SqlStatement& total() {
    return statement(total_, "UPDATE ending SET events = events + ?1 WHERE session = ''");
  }
  SqlStatement& new_end() { return statement(new_end_, std::string(kKeepEnd)); }
  SqlStatement& end_of() { return statement(end_of_, "SELECT events, chain FROM ending WHERE session = ?1"); }
  SqlStatement& events_of() {
    return statement(events_of_,
                     fmt::format("SELECT {} FROM event WHERE session = ?1 ORDER BY seq", kEventColumns));
  }
  SqlStatement& by_request() {
    return statement(by_request_, "SELECT seq FROM event WHERE session = ?1 AND request = ?2");
  }
  SqlStatement& requests_of() {
    return statement(
        requests_of_,
        // From the rows, which are checked, and not from the index of requests, which is not.
        "SELECT request, seq FROM event WHERE session = ?1 AND +request IS NOT NULL ORDER BY seq");
  }

  [[nodiscard]] std::vector<SessionRow> all_session_rows();
  [[nodiscard]] SessionRow session_row(const std::string& id);
  void begin(const SessionFacts& facts, std::span<const SearchEvent> first, const std::string& actor);
  void append(const SessionBatch& batch);
  void insert(const EventRow& row);
  // Throws CorruptFileError unless the last row that was written is in the file.
  void check_inserted() const;
  void check_request(const SessionBatch& batch);
  // One transaction, which is in files that are in place when this returns.
  template <typename Change>
  void keep(const Change& change);
  bool checkpoint(Checkpoint how);
  // Where the search ends, as the file knows it; nothing where it is of a version that does not.
  [[nodiscard]] std::optional<SessionEnd> end(const std::string& session);
  // A search that the file knows the end of, and nothing else.
  [[nodiscard]] std::optional<std::string> lost_session();

  std::unique_ptr<WriterLock> lock;
  SqliteDatabase file;

 private:
  // Throws SystemError where the path leads to another file by now: what is kept in a removed one is lost with it.
  void check_in_place() const;
  // The same of what stands beside, too; what is in it goes into the file first.
  void check_all_in_place();
  [[nodiscard]] bool is_beside_as_left();

  SqlStatement& sessions(std::unique_ptr<SqlStatement>& kept, std::string_view which) {
    return statement(kept,
                     fmt::format("SELECT {}, coalesce((SELECT max(seq) FROM event WHERE session = id), 0) "
                                 "FROM session {}",
                                 kSessionColumns, which));
  }

  std::optional<FileIdentity> identity_ = identity_of(file.path());
  std::optional<WalWatch> watch_;  // of who writes
  std::int64_t data_version_ = 0;  // changes with what others commit
  std::unique_ptr<SqlStatement> last_event_, all_sessions_, session_of_id_, new_session_, new_event_,
      events_of_, by_request_, requests_of_, new_end_, end_of_, total_;
  std::int64_t added_ = 0;  // rows of searches and events, in this transaction
};

std::vector<SessionRow> SessionFile::Database::all_session_rows() {
  std::vector<SessionRow> found;
  SqlRun rows(all_sessions());
  while (rows.next()) found.push_back(session_row_at(rows));
  return found;
}

SessionRow SessionFile::Database::session_row(const std::string& id) {
  SqlRun row(session_of_id(), {std::string_view(id)});
  if (row.next()) return session_row_at(row);
  throw FormatError(file.path(),
                    fmt::format("expected the id of a search in this file, found {}", quoted_text(id)));
}

void SessionFile::Database::check_request(const SessionBatch& batch) {
  SqlRun rows(by_request(), {std::string_view(batch.session), std::string_view(*batch.request)});
  if (!rows.next()) return;
  throw FormatError(file.path(),
                    fmt::format("expected a request of a new name, found {}, which is event {} already",
                                quoted_text(*batch.request), rows.integer(0)));
}

void SessionFile::Database::check_in_place() const {
  if (lock && !lock->is_in_place()) {
    throw SystemError(lock->name(), ESTALE,
                      "the file that keeps other writers away was removed or replaced while it was held: end "
                      "this program and begin again");
  }
  if (identity_of(file.path()) == identity_) return;
  throw SystemError(file.path(), ESTALE,
                    "the file was removed or replaced while it was open: put it back, or end "
                    "this program and begin again");
}

// Another program may have changed the database as SQLite does; who wrote there in another way destroyed something.
bool SessionFile::Database::is_beside_as_left() {
  if (!watch_ || watch_->is_as_left()) return true;
  const std::int64_t version = file.number("PRAGMA data_version");
  if (std::exchange(data_version_, version) == version) return false;
  watch_->leave();
  return true;
}

void SessionFile::Database::check_all_in_place() {
  if (watch_ && watch_->is_index_cut()) {
    throw CorruptFileError(
        watch_->index(),
        "became shorter while it was open. What was answered is kept: end this program and "
        "begin again");
  }
  // First of all, what was kept is saved from a log that was removed.
  const std::optional<std::string> moved = watch_ ? watch_->moved() : std::nullopt;
  const bool is_as_left = is_beside_as_left();
  const bool is_saved = !moved || (is_as_left && file.checkpoint(Checkpoint::full));
  check_in_place();
  if (!is_as_left) {
    throw SystemError(
        watch_->log(), ESTALE,
        "another program changed this part of the file of searches while it was open. The file holds "
        "what was answered until then: end this program, move this part away, and begin again");
  }
  if (!moved) return;
  if (!is_saved) {
    throw SystemError(
        *moved, ESTALE,
        "this part of the file of searches was removed or replaced while it was open, and what it held "
        "could not be saved: end this program and begin again");
  }
  throw SystemError(
      *moved, ESTALE,
      "this part of the file of searches was removed or replaced while it was open. The file holds all "
      "that was answered until now: end this program and begin again");
}

bool SessionFile::Database::checkpoint(Checkpoint how) {
  return !(watch_ && watch_->is_index_cut()) && is_beside_as_left() && file.checkpoint(how);
}

template <typename Change>
void SessionFile::Database::keep(const Change& change) {
  check_all_in_place();
  const auto leave = [](std::optional<WalWatch>* watch) {
    if (*watch) (*watch)->leave();
  };
  {
    // After the transaction, however that ended.
    const std::unique_ptr<std::optional<WalWatch>, decltype(leave)> left(&watch_, leave);
    SqlTransaction transaction(file);
    added_ = 0;
    change();
    if (added_ > 0) SqlRun(total(), {added_}).finish();
    transaction.commit();
  }
  // What was removed meanwhile would take it along.
  check_in_place();
  if (watch_ && watch_->moved() && !file.checkpoint(Checkpoint::full)) check_all_in_place();
}

std::optional<SessionEnd> SessionFile::Database::end(const std::string& session) {
  if (file.number("PRAGMA user_version") < 2) return std::nullopt;
  SqlRun row(end_of(), {std::string_view(session)});
  if (!row.next()) return SessionEnd{session, -1, 0};
  return SessionEnd{session, row.integer(0), static_cast<std::uint64_t>(row.integer(1))};
}

std::optional<std::string> SessionFile::Database::lost_session() {
  const std::vector<SessionEnd> ends = session_ends(file);
  SqlStatement known(file, "SELECT 1 FROM session WHERE id = ?1");
  for (const SessionEnd& end : ends)
    if (!end.session.empty() && !SqlRun(known, {std::string_view(end.session)}).next()) return end.session;
  return std::nullopt;
}

void SessionFile::Database::insert(const EventRow& row) {
  SqlRun(new_event(),
         {row.session, row.sequence, row.at_ms, row.actor, row.kind,
          row.document ? SqlValue(*row.document) : SqlValue(), row.body,
          row.request ? SqlValue(*row.request) : SqlValue(), static_cast<std::int64_t>(row.chain)})
      .finish();
  check_inserted();
}

void SessionFile::Database::check_inserted() const {
  if (file.changed_rows() == 1) return;
  throw CorruptFileError(file.path(),
                         "expected a row that was written to be in the file, found none: another program "
                         "changed its tables. Put a copy of the file in its place");
}

void SessionFile::Database::append(const SessionBatch& batch) {
  if (batch.request) check_request(batch);
  EventRow row;
  row.session = batch.session;
  {
    SqlRun last(last_event(), {row.session});
    const bool is_there = last.next();
    row.sequence = is_there ? last.integer(0) : 0;
    row.chain = is_there ? static_cast<std::uint64_t>(last.integer(1)) : session_row(batch.session).chain;
  }
  if (batch.request) row.request = *batch.request;
  for (const SearchEvent& event : batch.events) {
    const std::string place = event_place(file.path(), batch.session, event.sequence);
    if (event.sequence != ++row.sequence) {
      throw FormatError(place,
                        fmt::format("expected event {} as the next one: something else was appended to this "
                                    "search meanwhile, open it again",
                                    row.sequence));
    }
    const std::string body = checked_body(event, place);
    row.at_ms = event.at_ms;
    row.actor = event.actor.empty() ? batch.actor : event.actor;
    row.kind = search_event_name(event.kind);
    row.document = event.document;
    row.body = body;
    row.chain = chain_of(row, row.chain);
    insert(row);
    ++added_;
    row.request = std::nullopt;
  }
  if (batch.events.empty()) return;
  keep_end(new_end(), {batch.session, row.sequence, row.chain});
  check_inserted();
}

namespace {

// Goes over the events of a search in order, and reports what is not as it was written.
void walk_events(SqlStatement& events, const SessionRow& session, const std::optional<SessionEnd>& end,
                 const std::string& path, const std::function<void(SearchEvent)>& use,
                 const std::function<void(std::int64_t sequence, const std::string& problem)>& report) {
  if (chain_of(session.facts) != session.chain)
    report(0, "expected what was written of the search, found a changed row");
  std::uint64_t before = session.chain;
  std::int64_t expected = 1;
  SqlRun rows(events, {std::string_view(session.facts.id)});
  for (; rows.next(); ++expected) {
    const EventRow row = event_row_at(rows);
    if (row.sequence != expected) {
      report(expected, fmt::format("expected this event, found event {}: it is missing", row.sequence));
      expected = row.sequence;
    } else if (chain_of(row, before) != row.chain) {
      report(expected, "expected what was written, found a changed row");
    } else {
      try {
        SearchEvent event = event_of(row, path);
        if (row.actor != session.facts.owner) event.actor = row.actor;
        use(std::move(event));
      } catch (const FormatError& error) {
        report(expected, error.expectation());
      }
    }
    before = row.chain;
  }
  if (end && end->events < 0) {
    report(expected - 1, "expected to be told where the search ends, found nothing about it");
  } else if (end && end->events != expected - 1) {
    report(expected, fmt::format("expected {} events of this search, found {}: the last ones are missing",
                                 end->events, expected - 1));
  } else if (end && end->chain != before) {
    report(expected - 1, "expected the last event that was written, found another one");
  }
}

}  // namespace

SessionFile::SessionFile(const std::string& path, SessionAccess access) {
  const std::vector<SessionEnd> ends = ends_of_file_alone(path);
  try {
    database_ = std::make_unique<Database>(path, access, ends);
  } catch (const CorruptFileError&) {
    if (ends.empty()) throw;
    refuse_wal(path);  // alone the file is whole
  }
}

SessionFile::SessionFile(SessionFile&&) noexcept = default;
SessionFile& SessionFile::operator=(SessionFile&&) noexcept = default;
SessionFile::~SessionFile() = default;

const std::string& SessionFile::path() const noexcept { return database_->file.path(); }

std::vector<SessionFacts> SessionFile::sessions() const {
  const SqlSnapshot snapshot(database_->file);
  if (const std::optional<std::string> lost = database_->lost_session()) {
    throw CorruptFileError(
        path(), fmt::format("expected the search {}, whose end is known, found none: put a copy of "
                            "the file in its place",
                            visible_text(*lost)));
  }
  std::vector<SessionRow> rows = database_->all_session_rows();
  std::vector<SessionFacts> sessions;
  sessions.reserve(rows.size());
  for (SessionRow& row : rows) sessions.push_back(std::move(row.facts));
  return sessions;
}

void SessionFile::Database::begin(const SessionFacts& facts, std::span<const SearchEvent> first,
                                  const std::string& actor) {
  const std::uint64_t chain = chain_of(facts);
  SqlRun(new_session(),
         {std::string_view(facts.id), std::string_view(facts.name), std::string_view(facts.owner),
          std::string_view(facts.pool), std::string_view(facts.fingerprint), std::string_view(facts.policy),
          std::string_view(facts.options), static_cast<std::int64_t>(facts.seed), facts.created_ms,
          static_cast<std::int64_t>(chain)})
      .finish();
  check_inserted();
  ++added_;
  keep_end(new_end(), {facts.id, 0, chain});
  append({.session = facts.id, .actor = actor, .events = first});
}

SessionFacts SessionFile::begin(SessionFacts facts, std::span<const SearchEvent> first,
                                const std::string& actor) {
  begin_together({&facts, 1}, first, actor);
  return facts;
}

void SessionFile::begin_together(std::span<SessionFacts> searches, std::span<const SearchEvent> first,
                                 const std::string& actor) {
  for (SessionFacts& facts : searches) {
    facts.id = new_session_id();
    facts.events = std::ssize(first);
  }
  database_->keep([&] {
    for (const SessionFacts& facts : searches) database_->begin(facts, first, actor);
  });
}

std::map<std::string, std::vector<std::string>> SessionFile::shared() const {
  std::map<std::string, std::vector<std::string>> shared;
  // Of several rows the columns are those of the largest one.
  SqlStatement aims(database_->file,
                    "SELECT session, body, max(seq) FROM event WHERE kind = 'aimed' GROUP BY session");
  for (SqlRun rows(aims); rows.next();) {
    SearchEvent aimed = {.kind = SearchEventKind::aimed};
    try {
      read_body(aimed, rows.text(1), path());
    } catch (const FormatError&) {
      continue;  // whoever goes on with the search finds it
    }
    if (!aimed.aim.shared.empty()) shared.emplace(rows.text(0), std::move(aimed.aim.shared));
  }
  return shared;
}

std::vector<SearchEvent> SessionFile::events(const std::string& session) const {
  const SqlSnapshot snapshot(database_->file);
  const SessionRow row = database_->session_row(session);
  std::vector<SearchEvent> events;
  constexpr std::int64_t trusted = 1'000'000;  // a damaged file may say anything
  events.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(row.facts.events, 0, trusted)));
  walk_events(
      database_->events_of(), row, database_->end(session), path(),
      [&](SearchEvent event) { events.push_back(std::move(event)); },
      [&](std::int64_t sequence, const std::string& problem) {
        throw CorruptFileError(event_place(path(), session, sequence), problem);
      });
  return events;
}

std::optional<std::int64_t> SessionFile::sequence_of_request(const std::string& session,
                                                             const std::string& request) const {
  SqlRun rows(database_->by_request(), {std::string_view(session), std::string_view(request)});
  return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

std::vector<std::pair<std::string, std::int64_t>> SessionFile::requests(const std::string& session) const {
  std::vector<std::pair<std::string, std::int64_t>> requests;
  SqlRun rows(database_->requests_of(), {std::string_view(session)});
  while (rows.next()) requests.emplace_back(std::string(rows.text(0)), rows.integer(1));
  return requests;
}

void SessionFile::append(std::span<const SessionBatch> batches) {
  database_->keep([&] {
    for (const SessionBatch& batch : batches) database_->append(batch);
  });
}

bool SessionFile::checkpoint() noexcept {
  try {
    return database_->checkpoint(Checkpoint::passive);
  } catch (...) {
    return false;  // what was kept is in the write-ahead log still
  }
}

void SessionFile::checkpoints_when_told() { database_->file.run("PRAGMA wal_autocheckpoint = 1000"); }

std::string SessionFile::copy() const { return database_->file.bytes(); }

std::vector<SessionFault> SessionFile::verify() const {
  std::vector<SessionFault> faults;
  SqliteDatabase& file = database_->file;
  const SqlSnapshot snapshot(file);
  for (const SessionRow& row : database_->all_session_rows()) {
    walk_events(
        database_->events_of(), row, database_->end(row.facts.id), path(), [](const SearchEvent&) {},
        [&](std::int64_t sequence, const std::string& problem) {
          faults.push_back({row.facts.id, sequence, problem});
        });
  }
  SqlStatement orphans(file,
                       "SELECT session, min(seq) FROM event WHERE session NOT IN (SELECT id FROM session) "
                       "GROUP BY session");
  constexpr const char* missing = "expected a search of this id, found none: it is missing";
  for (SqlRun rows(orphans); rows.next();)
    faults.push_back({std::string(rows.text(0)), rows.integer(1), missing});
  const std::optional<std::string> lost = database_->lost_session();
  if (lost && std::ranges::find(faults, *lost, &SessionFault::session) == faults.end())
    faults.push_back({*lost, 0, missing});
  const std::int64_t rows_there =
      file.number("SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM event)");
  if (const auto total = database_->end(""); total && total->events != rows_there && faults.empty()) {
    faults.push_back(
        {"", 0, fmt::format("expected {} rows of searches and events, found {}", total->events, rows_there)});
  }
  SqlStatement look(file, "PRAGMA integrity_check(10)");
  for (SqlRun rows(look); rows.next();)
    if (rows.text(0) != "ok")
      faults.push_back(
          {"", 0, fmt::format("expected an undamaged database, found: {}", visible_text(rows.text(0)))});
  return faults;
}

}  // namespace inkling
