// An open file of searches: its prepared statements, and transactions that make sure that what they wrote is in the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "io/base/file/file_identity.hpp"
#include "io/base/sqlite/sqlite_database.hpp"
#include "io/base/sqlite/wal_watch.hpp"
#include "io/base/sqlite/writer_lock.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_tables.hpp"

namespace inkling {

/// How messages name an event.
[[nodiscard]] std::string event_place(const std::string& path, std::string_view session, std::int64_t sequence);

/// Throws CorruptFileError: the write-ahead log beside the file hides events that the file holds.
[[noreturn]] void refuse_wal(const std::string& path);

struct SessionFile::Database {
  Database(const std::string& path, SessionAccess access, std::span<const SessionEnd> ends_of_file_alone);
  ~Database() {
    if (watch_ && (watch_->is_index_cut() || !watch_->is_as_left())) file.tidy_at_close(false);
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Prepares the statement at its first use, and keeps it.
  SqlStatement& statement(std::unique_ptr<SqlStatement>& kept, const std::string& sql) {
    if (!kept) kept = std::make_unique<SqlStatement>(file, sql);
    return *kept;
  }
  SqlStatement& last_event() {
    return statement(last_event_, "SELECT seq, chain FROM event WHERE session = ?1 ORDER BY seq DESC LIMIT 1");
  }
  SqlStatement& all_sessions() { return sessions(all_sessions_, "ORDER BY rowid"); }
  SqlStatement& session_of_id() { return sessions(session_of_id_, "WHERE id = ?1"); }
  SqlStatement& new_session() {
    return statement(new_session_, fmt::format("INSERT INTO session ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
                                               "?10)",
                                               kSessionColumns));
  }
  SqlStatement& new_event() {
    return statement(new_event_,
                     fmt::format("INSERT INTO event ({}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)", kEventColumns));
  }
  SqlStatement& total() { return statement(total_, "UPDATE ending SET events = events + ?1 WHERE session = ''"); }
  SqlStatement& new_end() { return statement(new_end_, std::string(kKeepEnd)); }
  SqlStatement& end_of() { return statement(end_of_, "SELECT events, chain FROM ending WHERE session = ?1"); }
  SqlStatement& events_of() {
    return statement(events_of_, fmt::format("SELECT {} FROM event WHERE session = ?1 ORDER BY seq", kEventColumns));
  }
  SqlStatement& by_request() { return statement(by_request_, "SELECT seq FROM event WHERE session = ?1 AND request = ?2"); }
  SqlStatement& requests_of() {
    return statement(requests_of_,
                     // `+` keeps SQLite from using the index of requests, which has no checksums; the rows are checked.
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
  // Runs the change in one transaction. When this returns, the file and those beside it are in place and hold the change.
  template <typename Change>
  void keep(const Change& change);
  bool checkpoint(Checkpoint how);
  // Where the search ends; nothing if the file is of version 1, which does not keep that.
  [[nodiscard]] std::optional<SessionEnd> end(const std::string& session);
  // The id of a search whose end is in the file while its row is missing.
  [[nodiscard]] std::optional<std::string> lost_session();

  std::unique_ptr<WriterLock> lock;
  SqliteDatabase file;

 private:
  // Throws SystemError if the path leads to another file by now, because everything written to a removed file is lost.
  void check_in_place() const;
  // The same for the file and for those beside it. If the write-ahead log was removed or replaced, its events are moved into the
  // file before this throws.
  void check_all_in_place();
  [[nodiscard]] bool is_beside_as_left();

  SqlStatement& sessions(std::unique_ptr<SqlStatement>& kept, std::string_view which) {
    return statement(kept, fmt::format("SELECT {}, coalesce((SELECT max(seq) FROM event WHERE session = id), 0) "
                                       "FROM session {}",
                                       kSessionColumns, which));
  }

  std::optional<FileIdentity> identity_ = identity_of(file.path());
  std::optional<WalWatch> watch_;  // only when open for writing
  std::int64_t data_version_ = 0;  // changes when another connection commits
  std::unique_ptr<SqlStatement> last_event_, all_sessions_, session_of_id_, new_session_, new_event_, events_of_, by_request_,
      requests_of_, new_end_, end_of_, total_;
  std::int64_t added_ = 0;  // rows of searches and events, in this transaction
};

template <typename Change>
void SessionFile::Database::keep(const Change& change) {
  check_all_in_place();
  const auto leave = [](std::optional<WalWatch>* watch) {
    if (*watch) (*watch)->leave();
  };
  {
    // Runs after the end of the transaction, whether that was committed or not.
    const std::unique_ptr<std::optional<WalWatch>, decltype(leave)> left(&watch_, leave);
    SqlTransaction transaction(file);
    added_ = 0;
    change();
    if (added_ > 0) SqlRun(total(), {added_}).finish();
    transaction.commit();
  }
  // If a file was removed meanwhile, the change is lost with it.
  check_in_place();
  if (watch_ && watch_->moved() && !file.checkpoint(Checkpoint::full)) check_all_in_place();
}

}  // namespace inkling
