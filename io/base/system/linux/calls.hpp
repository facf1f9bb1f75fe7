// How each call to the system is made: a test's fault comes first.
#pragma once

#include <cerrno>

#include "io/base/system/faults.hpp"
#include "io/base/system/interruption.hpp"

namespace inkling {

/// What `make()` returns; -1 and errno, or 0 without having called it, where a test wants that.
template <typename Make>
auto tried(SystemCall call, const char* path, const Make& make) -> decltype(make()) {
  const Fault fault = fault_of(call, path);
  if (fault.error == 0) return fault.is_skipped ? 0 : make();
  errno = fault.error;
  return -1;
}

/// The same, again where a signal came between, unless that asked the program to end.
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
