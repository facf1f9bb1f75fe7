#include "io/base/sqlite/sqlite_database.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/cut_files.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/sqlite/cut_indexes.hpp"
#include "io/base/system/folder.hpp"

namespace inkling {
namespace {

// How long to wait for short operations of other programs, such as opening the file.
constexpr int kPatienceMs = 1000;

// Throws SystemError unless the path is a file, or is missing and may be made.
void check_is_file(const std::string& path, SqliteAccess access) {
  const std::optional<FileStatus> found = status_at(path.c_str());
  if (!found) {
    if (errno == ENOENT && access == SqliteAccess::write) return;
    throw SystemError(path, errno, "cannot open");
  }
  if (found->is_folder()) throw SystemError(path, EISDIR, "expected a file");
  if (!found->is_file()) throw SystemError(path, EINVAL, "expected a file, found a pipe or a device");
  if (access == SqliteAccess::write && found->names > 1) {
    throw FormatError(path, fmt::format("expected a file with one name, found {} (hard links): SQLite keeps "
                                        "new data in a file beside that name. Put a copy in its place",
                                        found->names));
  }
}

// Makes a file that only its user may access, whatever the umask; SQLite gives the files beside it the same mode. If the file
// exists or cannot be made, SQLite reports that later.
void make_private_file(const std::string& path) {
  constexpr unsigned own_file = 0600;
  static_cast<void>(File::open(path, OpenAs::fresh, own_file));
}

// The path as a URI whose reader takes no lock and looks for no other file.
std::string immutable_uri(const std::string& path) {
  constexpr std::string_view plain = "/._-";
  std::string uri = "file:";
  for (const char letter : path) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') || plain.find(letter) != std::string_view::npos;
    uri += is_plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return uri + "?immutable=1";
}

// SQLite does not always keep the errno (`kept`). The `last` errno of the thread is used only if it is a likely reason.
int reason_of(int kept, int last) {
  constexpr std::array likely = {EFBIG, ENOSPC, kQuotaExceeded, EROFS, kStaleFile, EMFILE, ENFILE, EACCES};
  if (kept != 0) return kept;
  return std::ranges::find(likely, last) != likely.end() ? last : 0;
}

[[noreturn]] void fail_with_system(const std::string& path, int error, int otherwise, std::string_view tried) {
  throw SystemError(path, error != 0 ? error : otherwise, std::string(tried));
}

[[noreturn]] void fail_with_io(const std::string& path, int code, int error, std::string_view tried) {
  switch (code) {
    case SQLITE_IOERR_NOMEM: throw std::bad_alloc();
    case SQLITE_IOERR_SHORT_READ:
    case SQLITE_IOERR_CORRUPTFS:
    case SQLITE_IOERR_DATA:
      throw CorruptFileError(path, "expected a complete file, found one that was cut off or damaged: put a copy in its place");
    default: fail_with_system(path, error, EIO, tried);
  }
}

[[noreturn]] void fail_with(const std::string& path, int code, int error, const std::string& message, std::string_view tried) {
  switch (code & 0xFF) {
    case SQLITE_NOMEM: throw std::bad_alloc();
    case SQLITE_FULL: throw SystemError(path, ENOSPC, std::string(tried));
    case SQLITE_IOERR: fail_with_io(path, code, error, tried);
    case SQLITE_CANTOPEN: fail_with_system(path, error, ENOENT, tried);
    case SQLITE_READONLY:
    case SQLITE_PERM: throw SystemError(path, EACCES, std::string(tried));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      throw FormatError(path,
                        "expected no other program that changes this file, found one: end it, or wait until "
                        "it is done");
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
      throw FormatError(path, fmt::format("expected values that the database can hold: SQLite says {}", quoted_text(message)));
    case SQLITE_NOTADB:
      throw CorruptFileError(path,
                             "expected a SQLite database, found another kind of file or a damaged beginning: "
                             "name another file, or put a copy in its place");
    case SQLITE_CORRUPT:
      throw CorruptFileError(path, "expected an undamaged database, found ({}): put a copy in its place", visible_text(message));
    default: throw CorruptFileError(path, "{}: SQLite says {}", tried, quoted_text(message));
  }
}

}  // namespace

void SqliteDatabase::Close::operator()(sqlite3* open) const noexcept {
  // A shortened index must not be used to move pages out of the write-ahead log.
  if (has_cut_files()) sqlite3_db_config(open, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_close_v2(open);
}

SqliteDatabase::SqliteDatabase(std::string path, SqliteAccess access) : path_(std::move(path)) {
  check_is_file(path_, access);
  if (access == SqliteAccess::alone) open(immutable_uri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (access == SqliteAccess::read) open_for_reading();
  if (access != SqliteAccess::write) return;
  make_private_file(path_);
  open(path_for_libraries(path_), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  if (sqlite3_db_readonly(open_.get(), "main") != 0) throw SystemError(path_, EACCES, "cannot write");
}

// Opens the file for writing if possible, because SQLite may have to recover from a program that was killed.
void SqliteDatabase::open_for_reading() {
  try {
    open(path_for_libraries(path_), SQLITE_OPEN_READWRITE);
  } catch (const SystemError&) {
    // The disk is read-only. Then the file alone is read, unless its log holds data that would be missed.
    const std::optional<FileStatus> log = status_at((resolved_path(path_) + "-wal").c_str());
    if (log && log->size > 0) throw;
    open(immutable_uri(path_), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  }
  run("PRAGMA query_only = ON", "cannot open");
}

void SqliteDatabase::open(const std::string& name, int flags) {
  sqlite3* opened = nullptr;
  constexpr int always = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(name.c_str(), &opened, flags | always, layer_of_files());
  open_.reset(opened);
  if (opened == nullptr) throw std::bad_alloc();
  if (code != SQLITE_OK) fail("cannot open");
  set_up();
}

void SqliteDatabase::set_up() {
  sqlite3* const opened = open_.get();
  sqlite3_busy_timeout(opened, kPatienceMs);
  // No code that is stored in a file may run.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  tidy_at_close(false);
  constexpr const char* opening = "cannot open";
  run("PRAGMA trusted_schema = OFF", opening);
  run("PRAGMA cell_size_check = ON", opening);
  run("PRAGMA foreign_keys = ON", opening);
  // The same as FULL with a write-ahead log; without one, also syncs the folder.
  run("PRAGMA synchronous = EXTRA", opening);
  static_cast<void>(number("PRAGMA schema_version"));  // reads the file for the first time
}

void SqliteDatabase::run(const char* sql, std::string_view what_is_tried) {
  errno = 0;
  if (sqlite3_exec(open_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(what_is_tried);
}

std::int64_t SqliteDatabase::number(const char* sql) {
  SqlStatement statement(*this, sql);
  SqlRun rows(statement);
  return rows.next() ? rows.integer(0) : 0;
}

bool SqliteDatabase::checkpoint(Checkpoint how) {
  check_cut_files();
  int frames = 0;
  int moved = 0;
  const int mode = how == Checkpoint::full ? SQLITE_CHECKPOINT_FULL : SQLITE_CHECKPOINT_PASSIVE;
  errno = 0;
  const int code = sqlite3_wal_checkpoint_v2(open_.get(), "main", mode, &frames, &moved);
  if (code != SQLITE_OK && (code & 0xFF) != SQLITE_BUSY) fail("cannot write");
  return code == SQLITE_OK && moved == frames;
}

void SqliteDatabase::tidy_at_close(bool does_tidy) noexcept {
  sqlite3_db_config(open_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, does_tidy ? 0 : 1, nullptr);
}

std::string SqliteDatabase::bytes() {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> copy(sqlite3_serialize(open_.get(), "main", &size, 0),
                                                                     &sqlite3_free);
  check_cut_files();
  if (!copy) fail("cannot read");
  return {reinterpret_cast<const char*>(copy.get()), static_cast<std::size_t>(size)};
}

bool SqliteDatabase::is_in_transaction() const noexcept { return sqlite3_get_autocommit(open_.get()) == 0; }

std::int64_t SqliteDatabase::changed_rows() const noexcept { return sqlite3_changes64(open_.get()); }

void SqliteDatabase::fail(std::string_view what_was_tried) const {
  const int last = errno;
  sqlite3* const failed = open_.get();
  fail_with(path_, sqlite3_extended_errcode(failed), reason_of(sqlite3_system_errno(failed), last), sqlite3_errmsg(failed),
            what_was_tried);
}

void SqlStatement::Finalize::operator()(sqlite3_stmt* prepared) const noexcept { sqlite3_finalize(prepared); }

SqlStatement::SqlStatement(const SqliteDatabase& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v3(database.open_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                                      &prepared, nullptr);
  prepared_.reset(prepared);
  if (code != SQLITE_OK) database.fail("cannot read");
}

SqlRun::SqlRun(SqlStatement& statement, std::initializer_list<SqlValue> values) : statement_(statement) {
  int parameter = 0;
  for (const SqlValue& value : values) bind(++parameter, value);
}

SqlRun::~SqlRun() {
  sqlite3_reset(statement_.prepared_.get());
  sqlite3_clear_bindings(statement_.prepared_.get());
}

bool SqlRun::next() {
  errno = 0;
  const int code = sqlite3_step(statement_.prepared_.get());
  check_cut_files();  // first: a shortened file is the cause of any other error
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const bool reads = sqlite3_stmt_readonly(statement_.prepared_.get()) != 0;
  statement_.database_->fail(reads ? "cannot read" : "cannot write");
}

void SqlRun::finish() {
  while (next()) continue;
}

bool SqlRun::is_null(int column) const { return sqlite3_column_type(statement_.prepared_.get(), column) == SQLITE_NULL; }

std::int64_t SqlRun::integer(int column) const { return sqlite3_column_int64(statement_.prepared_.get(), column); }

std::string_view SqlRun::text(int column) const {
  const unsigned char* const bytes = sqlite3_column_text(statement_.prepared_.get(), column);
  if (bytes == nullptr) return {};
  const int size = sqlite3_column_bytes(statement_.prepared_.get(), column);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

void SqlRun::bind(int parameter, const SqlValue& value) {
  sqlite3_stmt* const prepared = statement_.prepared_.get();
  int code = SQLITE_OK;
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    code = sqlite3_bind_int64(prepared, parameter, *number);
  } else if (const auto* text = std::get_if<std::string_view>(&value)) {
    const char* const bytes = text->empty() ? "" : text->data();  // nullptr would be NULL
    code = sqlite3_bind_text64(prepared, parameter, bytes, text->size(), SQLITE_STATIC, SQLITE_UTF8);
  } else {
    code = sqlite3_bind_null(prepared, parameter);
  }
  if (code != SQLITE_OK) statement_.database_->fail("cannot write");
}

SqlSnapshot::SqlSnapshot(SqliteDatabase& database) : database_(database) { database_.run("BEGIN", "cannot read"); }

SqlSnapshot::~SqlSnapshot() {
  try {
    if (database_.is_in_transaction()) database_.run("ROLLBACK");
  } catch (...) {
    // A snapshot changed nothing, and its reads are complete.
  }
}

SqlTransaction::SqlTransaction(SqliteDatabase& database) : database_(database) { database_.run("BEGIN IMMEDIATE"); }

SqlTransaction::~SqlTransaction() {
  try {
    if (database_.is_in_transaction()) database_.run("ROLLBACK");
    if (!commit_failed_) return;
    // If only the sync failed, the write-ahead log holds the whole failed transaction, which would count after a crash. So it is
    // overwritten at once by a write that changes nothing; if that fails, the next transaction overwrites it.
    const std::int64_t version = database_.number("PRAGMA user_version");
    database_.run(fmt::format("PRAGMA user_version = {}", version).c_str());
  } catch (...) {
    // The exception that matters is being thrown already.
  }
}

void SqlTransaction::commit() {
  check_cut_files();
  commit_failed_ = true;
  database_.run("COMMIT");
  commit_failed_ = false;
}

}  // namespace inkling
