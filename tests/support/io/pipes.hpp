// Pipes: of this process alone, in place of its standard input, and with a name in a folder.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#ifdef _WIN32
#  include <fcntl.h>
#  include <io.h>
#else
#  include <sys/stat.h>
#  include <unistd.h>
#endif

#include "io/base/system/file.hpp"

namespace inkling::test {

/// A pipe with room for some kilobytes.
struct OpenPipe {
  OpenPipe() {
    std::array<int, 2> ends{};
#ifdef _WIN32
    constexpr unsigned room = 1U << 16U;
    REQUIRE(::_pipe(ends.data(), room, _O_BINARY | _O_NOINHERIT) == 0);
#else
    REQUIRE(::pipe(ends.data()) == 0);
#endif
    out = File(ends[0]);
    in = File(ends[1]);
  }
  void write(std::string_view text) const { REQUIRE(in.write_all(std::as_bytes(std::span(text))) == 0); }

  File out, in;
};

/// Puts a file in place of standard input, /dev/stdin, while this object lives.
class AsStandardInput {
 public:
  explicit AsStandardInput(const File& file) : before_(File::standard(StandardStream::input).duplicate()) { put(file); }
  ~AsStandardInput() { put(before_); }
  AsStandardInput(const AsStandardInput&) = delete;
  AsStandardInput& operator=(const AsStandardInput&) = delete;
  AsStandardInput(AsStandardInput&&) = delete;
  AsStandardInput& operator=(AsStandardInput&&) = delete;

 private:
  static void put(const File& file) {
    if (!file.is_open()) return;
#ifdef _WIN32
    ::_dup2(file.number(), 0);
#else
    ::dup2(file.number(), 0);
#endif
  }

  File before_;
};

/// Makes a pipe with a name; false where the system has none that lie in folders.
[[nodiscard]] inline bool made_named_pipe([[maybe_unused]] const std::string& path) {
#ifdef _WIN32
  return false;
#else
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  return true;
#endif
}

}  // namespace inkling::test
