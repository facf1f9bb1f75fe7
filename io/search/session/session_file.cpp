#include "io/search/session/session_file.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "engine/core/errors.hpp"
#include "io/base/file/corrupt_file_error.hpp"
#include "io/base/file/file_identity.hpp"
#include "io/base/file/utf8.hpp"
#include "io/base/sqlite/sqlite_database.hpp"
#include "io/base/system/random.hpp"
#include "io/search/session/session_database.hpp"
#include "io/search/session/session_tables.hpp"

namespace inkling {
namespace {

std::string new_session_id() { return fmt::format("{:016x}", random_value<std::uint64_t>()); }

// The ends of searches in the file without its write-ahead log. A valid log can only add events after these. Empty if there is
// no log, and if the file alone cannot be read, as after a program was killed while it moved the log into the file.
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

// Reads the events of a search in order, and reports each that is missing or was changed.
void walk_events(SqlStatement& events, const SessionRow& session, const std::optional<SessionEnd>& end, const std::string& path,
                 const std::function<void(SearchEvent)>& use,
                 const std::function<void(std::int64_t sequence, const std::string& problem)>& report) {
  if (chain_of(session.facts) != session.chain) report(0, "expected what was written of the search, found a changed row");
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
    report(expected - 1, "expected a record of where the search ends, found none");
  } else if (end && end->events != expected - 1) {
    report(expected,
           fmt::format("expected {} events of this search, found {}: the last ones are missing", end->events, expected - 1));
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
    refuse_wal(path);  // the file without the log is undamaged
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
        path(), fmt::format("expected the search {}, whose end is recorded, found none: put a copy of the file in its place",
                            visible_text(*lost)));
  }
  std::vector<SessionRow> rows = database_->all_session_rows();
  std::vector<SessionFacts> sessions;
  sessions.reserve(rows.size());
  for (SessionRow& row : rows) sessions.push_back(std::move(row.facts));
  return sessions;
}

SessionFacts SessionFile::begin(SessionFacts facts, std::span<const SearchEvent> first, const std::string& actor) {
  begin_together({&facts, 1}, first, actor);
  return facts;
}

void SessionFile::begin_together(std::span<SessionFacts> searches, std::span<const SearchEvent> first, const std::string& actor) {
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
  // With max(seq), SQLite takes the other columns from the row with the largest seq.
  SqlStatement aims(database_->file, "SELECT session, body, max(seq) FROM event WHERE kind = 'aimed' GROUP BY session");
  for (SqlRun rows(aims); rows.next();) {
    SearchEvent aimed = {.kind = SearchEventKind::aimed};
    try {
      read_body(aimed, rows.text(1), path());
    } catch (const FormatError&) {
      continue;  // opening the search reports it
    }
    if (!aimed.aim.shared.empty()) shared.emplace(rows.text(0), std::move(aimed.aim.shared));
  }
  return shared;
}

std::map<std::string, std::int64_t> SessionFile::last_times() const {
  std::map<std::string, std::int64_t> times;
  SqlStatement last(database_->file, "SELECT session, at_ms, max(seq) FROM event GROUP BY session");
  for (SqlRun rows(last); rows.next();) times.emplace(rows.text(0), rows.integer(1));
  return times;
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

std::vector<KeptRequest> SessionFile::requests(const std::string& session) const {
  const SqlSnapshot snapshot(database_->file);
  const std::string owner = database_->session_row(session).facts.owner;
  const std::int64_t last_joined = last_joined_name(database_->file, session);
  std::vector<KeptRequest> requests;
  for (SqlRun rows(database_->requests_of(), {std::string_view(session)}); rows.next();) {
    KeptRequest kept = {std::string(rows.text(0)), std::string(rows.text(1)), rows.integer(2)};
    const bool may_be_joined = kept.first <= last_joined && kept.person != owner;
    if (may_be_joined && kept.name.starts_with(kept.person + "/")) kept.name.erase(0, kept.person.size() + 1);
    requests.push_back(std::move(kept));
  }
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
    return false;  // the events are still in the write-ahead log
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
  for (SqlRun rows(orphans); rows.next();) faults.push_back({std::string(rows.text(0)), rows.integer(1), missing});
  const std::optional<std::string> lost = database_->lost_session();
  if (lost && std::ranges::find(faults, *lost, &SessionFault::session) == faults.end()) faults.push_back({*lost, 0, missing});
  const std::int64_t rows_there = file.number("SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM event)");
  if (const auto total = database_->end(""); total && total->events != rows_there && faults.empty())
    faults.push_back({"", 0, fmt::format("expected {} rows of searches and events, found {}", total->events, rows_there)});
  SqlStatement look(file, "PRAGMA integrity_check(10)");
  for (SqlRun rows(look); rows.next();)
    if (rows.text(0) != "ok")
      faults.push_back({"", 0, fmt::format("expected an undamaged database, found: {}", visible_text(rows.text(0)))});
  return faults;
}

}  // namespace inkling
