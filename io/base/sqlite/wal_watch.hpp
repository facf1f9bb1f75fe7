// Whether what SQLite keeps beside a database that is open is still there, and as it was left.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/base/file/file_identity.hpp"

namespace inkling {

/// The write-ahead log (FILE-wal) and its index (FILE-shm) of a database that has a single writer. SQLite itself
/// continues with a log that was removed, and loses what it keeps there. Lifetime: as long as the database is open.
/// Thread safety: one thread at a time.
class WalWatch {
 public:
  /// Requires: the database was read since it was opened, so that both are there, where there can be any.
  explicit WalWatch(const std::string& path);

  /// Which of the two files was removed or replaced; nothing if both are in place.
  [[nodiscard]] std::optional<std::string> moved() const;
  /// Whether the log that is open has the length and the time that it was left with: nobody cut it or wrote into it.
  [[nodiscard]] bool is_as_left() const noexcept;
  /// Whether the index became shorter than it was left: to read it may end the process, and what is read is wrong.
  [[nodiscard]] bool is_index_cut() const noexcept { return index_bytes() < left_index_bytes_; }
  /// Remembers the present state as the one that was left.
  void leave() noexcept;

  [[nodiscard]] const std::string& log() const noexcept { return log_; }
  [[nodiscard]] const std::string& index() const noexcept { return index_; }

 private:
  struct Extent {
    std::uint64_t bytes = 0;
    FileTime written;

    bool operator==(const Extent&) const = default;
  };
  [[nodiscard]] Extent extent() const noexcept;
  // The remembered length if the index was removed or replaced.
  [[nodiscard]] std::uint64_t index_bytes() const noexcept;

  std::string log_;
  std::string index_;
  File opened_log_;  // of the index none: to close one would take away SQLite's locks
  std::optional<FileIdentity> index_identity_;
  Extent left_;
  std::uint64_t left_index_bytes_ = 0;
};

}  // namespace inkling
