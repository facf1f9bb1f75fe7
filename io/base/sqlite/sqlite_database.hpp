// A database of SQLite: opened, asked and changed, with its failures as exceptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace inkling {

/// The value of a column. Lifetime: lends the text.
using SqlValue = std::variant<std::monostate, std::int64_t, std::string_view>;

enum class SqliteAccess {
  read,
  write,
  /// As `read`, but reads only the file itself, not the files beside it, and locks nothing. If another program writes meanwhile,
  /// what is read may be inconsistent.
  alone,
};

enum class Checkpoint {
  passive,  ///< waits for nobody
  full,     ///< waits a short time for readers
};

/// Every function may throw SystemError (a full or failing disk, no permission), FormatError (another program has the file
/// locked), CorruptFileError (not SQLite, damaged, other tables than expected, or `check_cut_files`), std::bad_alloc.
/// Lifetime: its statements and transactions must end before it. Thread safety: one thread at a time.
class SqliteDatabase {
 public:
  /// With SqliteAccess::write, makes a missing file. A database that is open for reading changes no content.
  SqliteDatabase(std::string path, SqliteAccess access);
  ~SqliteDatabase() = default;
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Runs a statement once. Requires: it has no rows that matter.
  void run(const char* sql, std::string_view what_is_tried = "cannot write");
  /// The first column of the first row, a whole number: for pragmas. 0 where there is no row.
  [[nodiscard]] std::int64_t number(const char* sql);

  [[nodiscard]] bool is_in_transaction() const noexcept;
  /// Moves the write-ahead log into the file. Returns whether the file has all of it now.
  bool checkpoint(Checkpoint how);
  /// Whether the last one that closes the database moves the log into the file and removes it. By default closing leaves the log
  /// as it is.
  void tidy_at_close(bool does_tidy) noexcept;
  /// The whole database as the bytes of a file, in one consistent state, even while others write.
  [[nodiscard]] std::string bytes();

  /// How many rows the last INSERT changed.
  [[nodiscard]] std::int64_t changed_rows() const noexcept;

  /// Throws the failure of the last call as one of the exceptions above.
  [[noreturn]] void fail(std::string_view what_was_tried) const;

 private:
  friend class SqlStatement;
  struct Close {
    void operator()(sqlite3* open) const noexcept;
  };

  void open(const std::string& name, int flags);
  void open_for_reading();
  void set_up();

  std::string path_;
  std::unique_ptr<sqlite3, Close> open_;
};

/// A statement that is prepared once and run often. Lifetime: lends the database. Move-only.
class SqlStatement {
 public:
  SqlStatement(const SqliteDatabase& database, std::string_view sql);

 private:
  friend class SqlRun;
  struct Finalize {
    void operator()(sqlite3_stmt* prepared) const noexcept;
  };

  const SqliteDatabase* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> prepared_;
};

/// One run of a statement, from its first row to the end of this object. Lifetime: lends the statement and the values.
class SqlRun {
 public:
  explicit SqlRun(SqlStatement& statement, std::initializer_list<SqlValue> values = {});
  ~SqlRun();
  SqlRun(const SqlRun&) = delete;
  SqlRun& operator=(const SqlRun&) = delete;

  /// Moves to the next row; false where there is none.
  [[nodiscard]] bool next();
  /// Runs to the end. Requires: a statement without rows that matter.
  void finish();

  /// The columns of the current row; a text is valid until the next row. Requires: next() was true.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string_view text(int column) const;

 private:
  void bind(int parameter, const SqlValue& value);

  SqlStatement& statement_;
};

/// While it lives, all statements see the database as it was at the first of them.
class SqlSnapshot {
 public:
  explicit SqlSnapshot(SqliteDatabase& database);
  ~SqlSnapshot();
  SqlSnapshot(const SqlSnapshot&) = delete;
  SqlSnapshot& operator=(const SqlSnapshot&) = delete;

 private:
  SqliteDatabase& database_;
};

/// All or nothing: what was changed is taken back where `commit` was not called or did not succeed, and the database can
/// be changed again.
class SqlTransaction {
 public:
  explicit SqlTransaction(SqliteDatabase& database);
  ~SqlTransaction();
  SqlTransaction(const SqlTransaction&) = delete;
  SqlTransaction& operator=(const SqlTransaction&) = delete;

  void commit();

 private:
  SqliteDatabase& database_;
  bool commit_failed_ = false;
};

}  // namespace inkling
