// Requests come from a pipe line by line, whole or cut.
#include <array>
#include <string_view>

#include <doctest/doctest.h>
#include <unistd.h>

#include "io/base/system/file.hpp"
#include "io/doors/protocol/search_protocol.hpp"

namespace inkling {
namespace {

struct OpenPipe {
  OpenPipe() {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    out = File(ends[0]);
    in = File(ends[1]);
  }
  void write(std::string_view text) const {
    REQUIRE(::write(in.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  File out, in;
};

TEST_CASE("lines come one by one and the last one may have no line end") {
  OpenPipe pipe;
  RequestLines lines(pipe.out, 5);
  pipe.write("one\n\ntw");
  CHECK(lines.next() == "one");
  CHECK(lines.next() == "");
  pipe.write("o\nfour");
  CHECK(lines.next() == "two");
  pipe.write("");
  static_cast<void>(pipe.in.close());
  CHECK(lines.next() == "four");
  CHECK_FALSE(lines.next());
  CHECK_FALSE(lines.next());
}

TEST_CASE("a line that is too long is cut one byte after the limit and the next line is whole") {
  OpenPipe pipe;
  RequestLines lines(pipe.out, 5);
  pipe.write("12345\n123456\n1234567890123\nfive5\n");
  CHECK(lines.next() == "12345");
  CHECK(lines.next() == "123456");
  CHECK(lines.next() == "123456");
  CHECK(lines.next() == "five5");
}

}  // namespace
}  // namespace inkling
