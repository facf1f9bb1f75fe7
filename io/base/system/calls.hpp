// Makes calls to the system, unless a test injects a fault.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>

#include "io/base/system/faults.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {

/// Returns what `make()` returns. If a test wants a fault, does not call it and returns -1 with errno set, or 0.
template <typename Make>
auto tried(SystemCall call, const char* path, const Make& make) -> decltype(make()) {
  const Fault fault = fault_of(call, path);
  if (fault.error == 0) return fault.is_skipped ? 0 : make();
  errno = fault.error;
  return -1;
}

/// The same, repeated after EINTR unless a signal asked the program to end.
template <typename Make>
auto tried_again(SystemCall call, const char* path, const Make& make) -> decltype(make()) {
  while (true) {
    const auto result = tried(call, path, make);
    if (result >= 0 || errno != EINTR || interrupted()) return result;
  }
}

/// 0 or errno.
template <typename Make>
int error_of(SystemCall call, const char* path, const Make& make) {
  return tried(call, path, make) == 0 ? 0 : errno;
}

/// Fills `bytes` by `read_some(position of the rest in bytes)`, which returns as `File::read` does; returns as `File::read_at` does.
template <typename ReadSome>
std::size_t read_repeatedly(std::size_t bytes, const ReadSome& read_some) {
  std::size_t filled = 0;
  while (filled < bytes) {
    const std::ptrdiff_t got = tried(SystemCall::read, "", [&]() -> std::ptrdiff_t { return read_some(filled); });
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

/// Calls `write_some(bytes)`, which returns how many it wrote or -1 and sets errno, until all are written. Returns 0 or errno.
template <typename WriteSome>
int write_repeatedly(std::span<const std::byte> bytes, const WriteSome& write_some) noexcept {
  while (!bytes.empty()) {
    const Fault fault = fault_of(SystemCall::write, "", bytes.size());
    const auto taken = bytes.first(std::min(bytes.size(), fault.most_bytes));
    const std::ptrdiff_t written = fault.error != 0 ? -1 : write_some(taken);
    const int error = fault.error != 0 ? fault.error : errno;
    if (written < 0 && error == EINTR && !interrupted()) continue;
    if (written < 0) return error;
    if (written == 0) return EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace inkling
