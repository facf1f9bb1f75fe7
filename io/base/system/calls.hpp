// Makes calls to the system, unless a test injects a fault.
#pragma once

#include <cerrno>

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

}  // namespace inkling
