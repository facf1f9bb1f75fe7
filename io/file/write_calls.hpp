// The system calls that write, as a seam at which tests make them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <sys/types.h>

namespace inkling {

/// Each behaves as the call it is named after.
struct WriteCalls {
  ssize_t (*write)(int descriptor, const void* bytes, std::size_t count);
  ssize_t (*pwrite)(int descriptor, const void* bytes, std::size_t count, off_t position);
  int (*fsync)(int descriptor);
  int (*rename)(const char* from, const char* to);
  /// Two names change places in one step: renameat2 with RENAME_EXCHANGE.
  int (*exchange)(const char* one, const char* other);

  [[nodiscard]] static WriteCalls of_system();

  /// All bytes, however few the system takes at a time and however often it is interrupted; 0 or errno.
  [[nodiscard]] int write_all(int descriptor, std::span<const std::byte> bytes) const;
  /// The same at a position.
  [[nodiscard]] int write_all_at(int descriptor, std::span<const std::byte> bytes,
                                 std::uint64_t position) const;
  /// 0 or errno. An error is never tried again: the system may have dropped what it could not write.
  [[nodiscard]] int sync(int descriptor) const;
};

}  // namespace inkling
