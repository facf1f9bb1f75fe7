// Whether what SQLite keeps beside a database that is open is still there, and as it was left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/base/file/file_identity.hpp"

namespace inkling {

/// The write-ahead log (FILE-wal) and its index (FILE-shm) of a database that has a single writer. SQLite itself goes on
/// with a log that was removed, and what it keeps there is lost with it. Lifetime: as long as the database is open.
/// Thread safety: one thread at a time.
class WalWatch {
 public:
  /// Requires: the database was read since it was opened, so that both are there, where there can be any.
  explicit WalWatch(const std::string& path);

  /// One of both that was removed or replaced; nothing where both are in place.
  [[nodiscard]] std::optional<std::string> moved() const;
  /// Whether the log that is open has the length and the time that it was left with: nobody cut it or wrote into it.
  [[nodiscard]] bool is_as_left() const noexcept;
  /// Takes what it is now for what it was left as.
  void leave() noexcept;

  [[nodiscard]] const std::string& log() const noexcept { return log_; }

 private:
  struct Extent {
    std::int64_t bytes = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

    bool operator==(const Extent&) const = default;
  };
  [[nodiscard]] Extent extent() const noexcept;

  std::string log_;
  std::string index_;
  Descriptor opened_log_;  // of the index none: to close one would take away SQLite's locks
  std::optional<FileIdentity> index_identity_;
  Extent left_;
};

}  // namespace inkling
