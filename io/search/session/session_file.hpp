// The file in which searches are kept: an append-only log in SQLite.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/search/session/search_event.hpp"

namespace inkling {

/// What a session is, beside its events.
struct SessionFacts {
  std::string id;           ///< made by `begin`: 16 hexadecimal digits
  std::string name;         ///< as a person calls it
  std::string owner;        ///< the user who began it
  std::string pool;         ///< the folder
  std::string fingerprint;  ///< of the pool: `pool_fingerprint`
  std::string policy;
  std::string options;  ///< JSON
  std::uint64_t seed = 0;
  std::int64_t created_ms = 0;
  std::int64_t events = 0;  ///< how many there are; not looked at by `begin`
};

/// Events of one session that are to be appended. Lifetime: lends them.
struct SessionBatch {
  std::string session;  ///< id
  std::string actor;    ///< of events that name nobody
  std::span<const SearchEvent> events;
  /// A name that the asker gave to this request, so that it is not done twice; of the batch's first event.
  std::optional<std::string> request = {};
};

/// A row that is not what was written, as `verify` finds it.
struct SessionFault {
  std::string session;
  std::int64_t sequence = 0;
  std::string problem;
};

enum class SessionAccess { read, write };

/// Lifetime: holds the file open; with SessionAccess::write nobody else may write to it meanwhile.
/// Thread safety: one thread at a time (see `SessionWriter` for many).
class SessionFile {
 public:
  /// With SessionAccess::write the file is made where there is none. Throws SystemError; FormatError where the file is
  /// something else, was made by a newer version, or is open for writing elsewhere; CorruptFileError where the write-ahead
  /// log beside it is an older one, or of another file, and would hide what the file has.
  SessionFile(const std::string& path, SessionAccess access);
  SessionFile(SessionFile&&) noexcept;
  SessionFile& operator=(SessionFile&&) noexcept;
  SessionFile(const SessionFile&) = delete;
  SessionFile& operator=(const SessionFile&) = delete;
  ~SessionFile();

  [[nodiscard]] const std::string& path() const noexcept;

  /// In the order in which they were begun. Throws CorruptFileError where one is missing.
  [[nodiscard]] std::vector<SessionFacts> sessions() const;

  /// Keeps a new session with its first events, both or none of them, durably, and returns it with its id.
  [[nodiscard]] SessionFacts begin(SessionFacts facts, std::span<const SearchEvent> first = {},
                                   const std::string& actor = {});
  /// The same of several searches at once, all of them or none; each gets its id.
  void begin_together(std::span<SessionFacts> searches, std::span<const SearchEvent> first,
                      const std::string& actor);

  /// Who else searches in which search, by its id: those that are shared (`SearchAim::shared`).
  [[nodiscard]] std::map<std::string, std::vector<std::string>> shared() const;

  /// All events of a session in order. Throws CorruptFileError, which names the session and the event, where a row is
  /// missing or was changed: each row carries the XXH3 of the row before and of itself, and the file knows the last one.
  [[nodiscard]] std::vector<SearchEvent> events(const std::string& session) const;

  /// The first events of all requests that have a name, in their order.
  [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> requests(const std::string& session) const;

  /// Appends all of these in one transaction; they are durable when this returns. Where it throws, nothing of them was
  /// kept, and the file can be appended to again, unless somebody removed or changed what stands beside it. Throws
  /// SystemError (no room, a failing disk), FormatError where an event's sequence is not the next one.
  void append(std::span<const SessionBatch> batches);

  /// Moves what was kept into the file itself, where a copy of that alone has it, too; whether it has all of it now. Every
  /// append does so, until `checkpoints_when_told`.
  bool checkpoint() noexcept;
  void checkpoints_when_told();

  /// The bytes of a whole copy, as of one moment, whoever writes meanwhile.
  [[nodiscard]] std::string copy() const;

  /// Looks at every row of every session.
  [[nodiscard]] std::vector<SessionFault> verify() const;

 private:
  struct Database;
  std::unique_ptr<Database> database_;
};

}  // namespace inkling
