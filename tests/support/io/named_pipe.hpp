// Pipes that have a name in a folder.
#pragma once

#include <string>

#include <doctest/doctest.h>

#ifndef _WIN32
#  include <sys/stat.h>
#endif

namespace inkling::test {

/// Makes one; false where the system has none that lie in folders.
[[nodiscard]] inline bool made_named_pipe([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
  return false;
#else
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  return true;
#endif
}

}  // namespace inkling::test
