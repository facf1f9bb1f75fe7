// The tables in which searches are kept, and their rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/base/sqlite/sqlite_database.hpp"
#include "io/search/session/search_event.hpp"
#include "io/search/session/session_file.hpp"

namespace inkling {

/// A row of the table of searches. `chain` is the XXH3 of all columns of a row and of the chain of the row before. The row of a
/// search counts as the row before its first event.
struct SessionRow {
  SessionFacts facts;
  std::uint64_t chain = 0;
};

/// A row of the table of events. Lifetime: lends its texts.
struct EventRow {
  std::string_view session;
  std::int64_t sequence = 0;
  std::int64_t at_ms = 0;
  std::string_view actor;
  std::string_view kind;
  std::optional<std::int64_t> document = {};
  std::string_view body;
  std::optional<std::string_view> request = {};
  std::uint64_t chain = 0;
};

/// Where a search ends: written with its last event, in the same transaction. Without it nobody would notice that the last
/// events are missing, because no later row depends on them.
struct SessionEnd {
  std::string session;      ///< empty: this is about all searches, and `events` also counts the searches
  std::int64_t events = 0;  ///< how many there are
  std::uint64_t chain = 0;  ///< the chain of the last event; without events, that of the row of the search
};

inline constexpr std::string_view kSessionColumns =
    "id, name, owner, pool, pool_checksum, policy, options, seed, created_ms, chain";
inline constexpr std::string_view kEventColumns = "session, seq, at_ms, actor, kind, document, body, request, chain";

/// The current row of a statement that selects these columns; for a search, the statement also selects the number of its
/// events, last.
[[nodiscard]] SessionRow session_row_at(const SqlRun& rows);
[[nodiscard]] EventRow event_row_at(const SqlRun& rows);

/// What the column `chain` of a row must be.
[[nodiscard]] std::uint64_t chain_of(const SessionFacts& facts);
[[nodiscard]] std::uint64_t chain_of(const EventRow& event, std::uint64_t before);

/// Throws FormatError with `place` where the row is no event of this version.
[[nodiscard]] SearchEvent event_of(const EventRow& row, const std::string& place);

/// The event's body. Throws FormatError with `place` if the event lacks what its kind needs, or would differ when read again:
/// if it has texts that are not UTF-8, or members that its kind does not have.
[[nodiscard]] std::string checked_body(const SearchEvent& event, const std::string& place);

/// The ends of all searches. Files of version 1 have none, until they are written to.
[[nodiscard]] std::vector<SessionEnd> session_ends(SqliteDatabase& database);
/// Writes the end of a search in place of its earlier one.
void keep_end(SqlStatement& statement, const SessionEnd& end);
inline constexpr std::string_view kKeepEnd =
    "INSERT INTO ending VALUES (?1, ?2, ?3) ON CONFLICT (session) DO UPDATE SET events = excluded.events, "
    "chain = excluded.chain";

/// The last event of a search whose request may be named with its person and a slash before it, as version 2 named those of
/// everybody but the owner; 0 where there is none.
[[nodiscard]] std::int64_t last_joined_name(SqliteDatabase& database, const std::string& session);

/// Makes the tables in an empty database, and adds to a database of an earlier version what it lacks. Any other database is left
/// as it is.
void make_tables(SqliteDatabase& database);

/// Throws FormatError if the database is of another program or of a newer version, CorruptFileError if its tables were
/// changed since they were made.
void check_tables(SqliteDatabase& database);

}  // namespace inkling
