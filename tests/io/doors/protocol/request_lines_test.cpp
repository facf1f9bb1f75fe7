// Requests come from a pipe line by line, whole or cut.
#include <doctest/doctest.h>

#include "io/doors/protocol/search_protocol.hpp"
#include "tests/support/io/pipes.hpp"

namespace inkling {
namespace {

using test::OpenPipe;

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
