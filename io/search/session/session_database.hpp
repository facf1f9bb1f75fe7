// The tables of a file of searches while it is open: statements that are kept, and transactions that hold.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "io/base/file/file_identity.hpp"
#include "io/base/sqlite/sqlite_database.hpp"
#include "io/base/sqlite/wal_watch.hpp"
#include "io/base/sqlite/writer_lock.hpp"
#include "io/search/session/session_file.hpp"
#include "io/search/session/session_tables.hpp"

namespace inkling {

/// As messages name an event.
[[nodiscard]] std::string event_place(const std::string& path, std::string_view session,
                                      std::int64_t sequence);

/// Says that what stands beside the file hides what the file has.
[[noreturn]] void refuse_wal(const std::string& path);

struct SessionFile::Database {
  Database(const std::string& path, SessionAccess access, std::span<const SessionEnd> ends_of_file_alone);
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

}  // namespace inkling
