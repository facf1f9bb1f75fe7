#include "io/search/session/session_database.hpp"

#include <cerrno>
#include <utility>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/utf8.hpp"

namespace inkling {
namespace {

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

}  // namespace

std::string event_place(const std::string& path, std::string_view session, std::int64_t sequence) {
  return fmt::format("{}: search {}, event {}", path, visible_text(session), sequence);
}

void refuse_wal(const std::string& path) {
  throw CorruptFileError(path, fmt::format("expected {0}-wal to continue this file, found one that is older, damaged or of "
                                           "another file. It hides events that this file holds: move {0}-wal away",
                                           visible_text(path)));
}

SessionFile::Database::Database(const std::string& path, SessionAccess access, std::span<const SessionEnd> ends_of_file_alone)
    : lock(access == SessionAccess::write ? std::make_unique<WriterLock>(path) : nullptr),
      file(path, access == SessionAccess::write ? SqliteAccess::write : SqliteAccess::read) {
  // SQLite would read the pages of a write-ahead log that is older, or of another file, instead of newer pages in the file, and
  // later overwrite those.
  for (const SessionEnd& end : ends_of_file_alone)
    if (!holds_end(file, end)) refuse_wal(path);
  if (access == SessionAccess::write) make_tables(file);
  check_tables(file);
  file.tidy_at_close(true);
  if (access == SessionAccess::read) return;
  file.run("PRAGMA journal_mode = WAL");
  file.run("PRAGMA wal_autocheckpoint = 1");
  static_cast<void>(session_ends(file));  // SQLite opens FILE-wal and FILE-shm at the first read only
  static_cast<void>(file.checkpoint(Checkpoint::passive));
  data_version_ = file.number("PRAGMA data_version");
  watch_.emplace(path);
}

std::vector<SessionRow> SessionFile::Database::all_session_rows() {
  std::vector<SessionRow> found;
  SqlRun rows(all_sessions());
  while (rows.next()) found.push_back(session_row_at(rows));
  return found;
}

SessionRow SessionFile::Database::session_row(const std::string& id) {
  SqlRun row(session_of_id(), {std::string_view(id)});
  if (row.next()) return session_row_at(row);
  throw FormatError(file.path(), fmt::format("expected the id of a search in this file, found {}", quoted_text(id)));
}

void SessionFile::Database::check_request(std::string_view session, std::string_view person, const std::string& request) {
  SqlRun rows(by_request(), {session, person, std::string_view(request)});
  if (!rows.next()) return;
  throw FormatError(file.path(), fmt::format("expected a request of a new name, found {}, which is event {} already",
                                             quoted_text(request), rows.integer(0)));
}

void SessionFile::Database::check_in_place() const {
  if (lock && !lock->is_in_place()) {
    throw SystemError(lock->name(), kStaleFile,
                      "the lock file was removed or replaced while it was held: end this program and begin again");
  }
  if (identity_of(file.path()) == identity_) return;
  throw SystemError(file.path(), kStaleFile,
                    "the file was removed or replaced while it was open: put it back, or end "
                    "this program and begin again");
}

// Another program may change the database through SQLite. Any other change of the log is damage.
bool SessionFile::Database::is_beside_as_left() {
  if (!watch_ || watch_->is_as_left()) return true;
  const std::int64_t version = file.number("PRAGMA data_version");
  if (std::exchange(data_version_, version) == version) return false;
  watch_->leave();
  return true;
}

void SessionFile::Database::check_all_in_place() {
  if (watch_ && watch_->is_index_cut()) {
    throw CorruptFileError(watch_->index(),
                           "became shorter while it was open. What was answered is kept: end this program and "
                           "begin again");
  }
  // If a log was removed, its events are moved into the file before anything throws.
  const std::optional<std::string> moved = watch_ ? watch_->moved() : std::nullopt;
  const bool is_as_left = is_beside_as_left();
  const bool is_saved = !moved || (is_as_left && file.checkpoint(Checkpoint::full));
  check_in_place();
  if (!is_as_left) {
    throw SystemError(watch_->log(), kStaleFile,
                      "another program changed this part of the file of searches while it was open. The file holds "
                      "what was answered until then: end this program, move this part away, and begin again");
  }
  if (!moved) return;
  if (!is_saved) {
    throw SystemError(*moved, kStaleFile,
                      "this part of the file of searches was removed or replaced while it was open, and what it held "
                      "could not be saved: end this program and begin again");
  }
  throw SystemError(*moved, kStaleFile,
                    "this part of the file of searches was removed or replaced while it was open. The file holds all "
                    "that was answered until now: end this program and begin again");
}

bool SessionFile::Database::checkpoint(Checkpoint how) {
  return !(watch_ && watch_->is_index_cut()) && is_beside_as_left() && file.checkpoint(how);
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
         {row.session, row.sequence, row.at_ms, row.actor, row.kind, row.document ? SqlValue(*row.document) : SqlValue(),
          row.body, row.request ? SqlValue(*row.request) : SqlValue(), static_cast<std::int64_t>(row.chain)})
      .finish();
  check_inserted();
}

void SessionFile::Database::check_inserted() const {
  if (file.changed_rows() == 1) return;
  throw CorruptFileError(file.path(),
                         "expected a row that was written to be in the file, found none: another program "
                         "changed its tables. Put a copy of the file in its place");
}

void SessionFile::Database::begin(const SessionFacts& facts, std::span<const SearchEvent> first, const std::string& actor) {
  const std::uint64_t chain = chain_of(facts);
  SqlRun(new_session(),
         {std::string_view(facts.id), std::string_view(facts.name), std::string_view(facts.owner), std::string_view(facts.pool),
          std::string_view(facts.fingerprint), std::string_view(facts.policy), std::string_view(facts.options),
          static_cast<std::int64_t>(facts.seed), facts.created_ms, static_cast<std::int64_t>(chain)})
      .finish();
  check_inserted();
  ++added_;
  keep_end(new_end(), {facts.id, 0, chain});
  append({.session = facts.id, .actor = actor, .events = first});
}

void SessionFile::Database::append(const SessionBatch& batch) {
  const auto actor_of = [&](const SearchEvent& event) {
    return std::string_view(event.actor.empty() ? batch.actor : event.actor);
  };
  if (batch.request && !batch.events.empty()) check_request(batch.session, actor_of(batch.events.front()), *batch.request);
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
      throw FormatError(place, fmt::format("expected event {} as the next one: something else was appended to this "
                                           "search meanwhile, open it again",
                                           row.sequence));
    }
    const std::string body = checked_body(event, place);
    row.at_ms = event.at_ms;
    row.actor = actor_of(event);
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

}  // namespace inkling
