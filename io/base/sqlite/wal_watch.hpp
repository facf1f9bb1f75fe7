// Checks that the files which SQLite keeps beside an open database are still there and unchanged.
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
  /// Requires: the database was read since it was opened, so that both files exist, if they can.
  explicit WalWatch(const std::string& path);

  /// Which of the two files was removed or replaced; nothing if both are in place.
  [[nodiscard]] std::optional<std::string> moved() const;
  /// Whether the open log has the length and time of the last `leave`: nobody shortened it or wrote to it.
  [[nodiscard]] bool is_as_left() const noexcept;
  /// Whether the index is shorter than at the last `leave`. Reading such an index may end the process or give wrong data.
  [[nodiscard]] bool is_index_cut() const noexcept { return index_bytes() < left_index_bytes_; }
  /// Remembers the present state of both files.
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
  File opened_log_;  // the index is not opened: closing it would release SQLite's locks
  std::optional<FileIdentity> index_identity_;
  Extent left_;
  std::uint64_t left_index_bytes_ = 0;
};

}  // namespace inkling
