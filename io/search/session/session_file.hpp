// The file in which searches are kept: an append-only log in SQLite.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/search/session/search_event.hpp"

namespace inkling {

/// A session without its events.
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
  std::int64_t events = 0;  ///< how many there are; `begin` ignores it
};

/// Events of one session that are to be appended. Lifetime: lends them.
struct SessionBatch {
  std::string session;  ///< id
  std::string actor;    ///< the actor of events that have none of their own
  std::span<const SearchEvent> events;
  /// A name that the actor of the first event gave to this request, so that it is not done twice. It is kept with that event.
  std::optional<std::string> request = {};
};

/// A request that was done. It is known by two things, who asked and the name that they gave to it: each person gives names of
/// their own.
struct KeptRequest {
  std::string person;  ///< the actor of its first event
  std::string name;
  std::int64_t first = 0;  ///< the sequence of that event

  bool operator==(const KeptRequest&) const = default;
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
  /// With SessionAccess::write a missing file is made. Throws SystemError; FormatError if the file is no file of searches, was
  /// made by a newer version, or is open for writing elsewhere; CorruptFileError if the write-ahead log beside it is older than
  /// the file, or of another file: SQLite would show its contents instead of newer ones in the file.
  SessionFile(const std::string& path, SessionAccess access);
  SessionFile(SessionFile&&) noexcept;
  SessionFile& operator=(SessionFile&&) noexcept;
  SessionFile(const SessionFile&) = delete;
  SessionFile& operator=(const SessionFile&) = delete;
  ~SessionFile();

  [[nodiscard]] const std::string& path() const noexcept;

  /// In the order in which they were begun. Throws CorruptFileError where one is missing.
  [[nodiscard]] std::vector<SessionFacts> sessions() const;

  /// Keeps a new session with its first events durably, both or neither, and returns it with its id.
  [[nodiscard]] SessionFacts begin(SessionFacts facts, std::span<const SearchEvent> first = {}, const std::string& actor = {});
  /// The same for several searches at once, all of them or none; each gets its id.
  void begin_together(std::span<SessionFacts> searches, std::span<const SearchEvent> first, const std::string& actor);

  /// For each shared search, by its id, the names of those who share it (`SearchAim::shared`).
  [[nodiscard]] std::map<std::string, std::vector<std::string>> shared() const;

  /// When the last event of each session came, by its id.
  [[nodiscard]] std::map<std::string, std::int64_t> last_times() const;

  /// All events of a session in order. Throws CorruptFileError, which names the session and the event, if a row is missing or
  /// was changed. Such rows are found because each has the XXH3 of the row before and of itself, and the file also keeps which
  /// row is the last one.
  [[nodiscard]] std::vector<SearchEvent> events(const std::string& session) const;

  /// All requests, in the order of their first events.
  [[nodiscard]] std::vector<KeptRequest> requests(const std::string& session) const;

  /// Appends all batches in one transaction; they are durable when this returns. If it throws, none of them is kept. Then the
  /// file can be appended to again, unless another program removed or changed the file or those beside it (FILE-wal, FILE-shm,
  /// FILE-lock). Throws SystemError (no room, a failing disk), FormatError if an event's sequence is not the next one.
  void append(std::span<const SessionBatch> batches);

  /// Moves all events from the write-ahead log into the file itself, so that a copy of the file alone has them. Returns whether
  /// all were moved. Every append does this until `checkpoints_when_told` is called.
  bool checkpoint() noexcept;
  void checkpoints_when_told();

  /// The bytes of a consistent copy of the whole file, even while others write to it.
  [[nodiscard]] std::string copy() const;

  /// Checks every row of every session.
  [[nodiscard]] std::vector<SessionFault> verify() const;

 private:
  struct Database;
  std::unique_ptr<Database> database_;
};

}  // namespace inkling
