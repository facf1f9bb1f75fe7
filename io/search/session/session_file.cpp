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

}  // namespace

struct SessionFile::Database {
  Database(const std::string& path, SessionAccess access)
      : lock(access == SessionAccess::write ? std::make_unique<WriterLock>(path) : nullptr),
        file(path, access == SessionAccess::write ? SqliteAccess::write : SqliteAccess::read) {
    if (access == SessionAccess::write) make_tables(file);
    check_tables(file);
    if (access == SessionAccess::write) file.run("PRAGMA journal_mode = WAL");
  }

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
        "SELECT request, seq FROM event WHERE session = ?1 AND request IS NOT NULL ORDER BY seq");
  }

  [[nodiscard]] std::vector<SessionRow> all_session_rows();
  [[nodiscard]] SessionRow session_row(const std::string& id);
  void append(const SessionBatch& batch);
  void insert(const EventRow& row);
  void check_request(const SessionBatch& batch);
  // Throws SystemError where the path leads to another file by now: what is kept in a removed one is lost with it.
  void check_in_place() const;

  std::unique_ptr<WriterLock> lock;
  SqliteDatabase file;

 private:
  SqlStatement& sessions(std::unique_ptr<SqlStatement>& kept, std::string_view which) {
    return statement(kept,
                     fmt::format("SELECT {}, coalesce((SELECT max(seq) FROM event WHERE session = id), 0) "
                                 "FROM session {}",
                                 kSessionColumns, which));
  }

  std::optional<FileIdentity> identity_ = identity_of(file.path());
  std::unique_ptr<SqlStatement> last_event_, all_sessions_, session_of_id_, new_session_, new_event_,
      events_of_, by_request_, requests_of_;
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
  if (identity_of(file.path()) == identity_) return;
  throw SystemError(file.path(), ESTALE,
                    "the file was removed or replaced while it was open: put it back, or end "
                    "this program and begin again");
}

void SessionFile::Database::insert(const EventRow& row) {
  SqlRun(new_event(),
         {row.session, row.sequence, row.at_ms, row.actor, row.kind,
          row.document ? SqlValue(*row.document) : SqlValue(), row.body,
          row.request ? SqlValue(*row.request) : SqlValue(), static_cast<std::int64_t>(row.chain)})
      .finish();
}

void SessionFile::Database::append(const SessionBatch& batch) {
  if (batch.request) check_request(batch);
  EventRow row;
  row.session = batch.session;
  row.actor = batch.actor;
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
    row.kind = search_event_name(event.kind);
    row.document = event.document;
    row.body = body;
    row.chain = chain_of(row, row.chain);
    insert(row);
    row.request = std::nullopt;
  }
}

namespace {

// Goes over the events of a search in order, and reports what is not as it was written.
void walk_events(SqlStatement& events, const SessionRow& session, const std::string& path,
                 const std::function<void(SearchEvent)>& use,
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
        use(event_of(row, path));
      } catch (const FormatError& error) {
        report(expected, error.expectation());
      }
    }
    before = row.chain;
  }
}

}  // namespace

SessionFile::SessionFile(const std::string& path, SessionAccess access)
    : database_(std::make_unique<Database>(path, access)) {}

SessionFile::SessionFile(SessionFile&&) noexcept = default;
SessionFile& SessionFile::operator=(SessionFile&&) noexcept = default;
SessionFile::~SessionFile() = default;

const std::string& SessionFile::path() const noexcept { return database_->file.path(); }

std::vector<SessionFacts> SessionFile::sessions() const {
  std::vector<SessionRow> rows = database_->all_session_rows();
  std::vector<SessionFacts> sessions;
  sessions.reserve(rows.size());
  for (SessionRow& row : rows) sessions.push_back(std::move(row.facts));
  return sessions;
}

SessionFacts SessionFile::begin(SessionFacts facts, std::span<const SearchEvent> first,
                                const std::string& actor) {
  facts.id = new_session_id();
  facts.events = std::ssize(first);
  const std::uint64_t chain = chain_of(facts);
  database_->check_in_place();
  SqlTransaction transaction(database_->file);
  SqlRun(database_->new_session(),
         {std::string_view(facts.id), std::string_view(facts.name), std::string_view(facts.owner),
          std::string_view(facts.pool), std::string_view(facts.fingerprint), std::string_view(facts.policy),
          std::string_view(facts.options), static_cast<std::int64_t>(facts.seed), facts.created_ms,
          static_cast<std::int64_t>(chain)})
      .finish();
  if (!first.empty()) database_->append({.session = facts.id, .actor = actor, .events = first});
  transaction.commit();
  return facts;
}

std::vector<SearchEvent> SessionFile::events(const std::string& session) const {
  const SessionRow row = database_->session_row(session);
  std::vector<SearchEvent> events;
  constexpr std::int64_t trusted = 1'000'000;  // a damaged file may say anything
  events.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(row.facts.events, 0, trusted)));
  walk_events(
      database_->events_of(), row, path(), [&](SearchEvent event) { events.push_back(std::move(event)); },
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
  database_->check_in_place();
  SqlTransaction transaction(database_->file);
  for (const SessionBatch& batch : batches) database_->append(batch);
  transaction.commit();
}

std::vector<SessionFault> SessionFile::verify() const {
  std::vector<SessionFault> faults;
  SqliteDatabase& file = database_->file;
  for (const SessionRow& row : database_->all_session_rows()) {
    walk_events(
        database_->events_of(), row, path(), [](const SearchEvent&) {},
        [&](std::int64_t sequence, const std::string& problem) {
          faults.push_back({row.facts.id, sequence, problem});
        });
  }
  SqlStatement orphans(file,
                       "SELECT session, min(seq) FROM event WHERE session NOT IN (SELECT id FROM session) "
                       "GROUP BY session");
  for (SqlRun rows(orphans); rows.next();)
    faults.push_back({std::string(rows.text(0)), rows.integer(1),
                      "expected a search of this id, found none: it is missing"});
  SqlStatement look(file, "PRAGMA integrity_check(10)");
  for (SqlRun rows(look); rows.next();)
    if (rows.text(0) != "ok")
      faults.push_back(
          {"", 0, fmt::format("expected an undamaged database, found: {}", visible_text(rows.text(0)))});
  return faults;
}

}  // namespace inkling
