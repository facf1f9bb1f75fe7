#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <span>
#include <string>

#include <doctest/doctest.h>

#include "io/base/file/output_file.hpp"

namespace inkling {
namespace {

std::string written;

// A disk that takes three bytes at a time and is interrupted before each.
ssize_t write_little(const void* bytes, std::size_t count) {
  static int call = 0;
  if (++call % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  const std::size_t taken = std::min<std::size_t>(count, 3);
  written.append(static_cast<const char*>(bytes), taken);
  return static_cast<ssize_t>(taken);
}

WriteCalls slow_disk() {
  written.clear();
  WriteCalls calls = WriteCalls::of_system();
  calls.write = [](int, const void* bytes, std::size_t count) { return write_little(bytes, count); };
  calls.pwrite = [](int, const void* bytes, std::size_t count, off_t position) {
    CHECK(position == static_cast<off_t>(100 + written.size()));
    return write_little(bytes, count);
  };
  return calls;
}

TEST_CASE("all bytes are written however few the system takes at a time") {
  const std::string text = "eleven byte";
  CHECK(slow_disk().write_all(1, std::as_bytes(std::span(text))) == 0);
  CHECK(written == text);
  CHECK(slow_disk().write_all_at(1, std::as_bytes(std::span(text)), 100) == 0);
  CHECK(written == text);
}

TEST_CASE("an error and a write of zero bytes are reported") {
  WriteCalls calls = WriteCalls::of_system();
  calls.write = [](int, const void*, std::size_t) -> ssize_t { return errno = EDQUOT, -1; };
  CHECK(calls.write_all(1, std::as_bytes(std::span("x"))) == EDQUOT);
  calls.write = [](int, const void*, std::size_t) -> ssize_t { return 0; };
  CHECK(calls.write_all(1, std::as_bytes(std::span("x"))) == EIO);
  CHECK(calls.write_all(1, {}) == 0);
}

TEST_CASE("a failed sync is reported at once, and an interrupted one is repeated") {
  static int made = 0;
  WriteCalls calls = WriteCalls::of_system();
  calls.fsync = [](int) { return ++made, errno = EIO, -1; };
  CHECK(calls.sync(1) == EIO);
  CHECK(made == 1);
  calls.fsync = [](int) { return ++made < 4 ? (errno = EINTR, -1) : 0; };
  CHECK(calls.sync(1) == 0);
  CHECK(made == 4);
}

}  // namespace
}  // namespace inkling
