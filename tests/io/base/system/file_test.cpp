#include "io/base/system/file.hpp"

#include <cerrno>
#include <string>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/failing_system.hpp"
#include "tests/support/io/pipes.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/written_files.hpp"

namespace inkling {
namespace {

using test::FailingSystem;

TEST_CASE_FIXTURE(test::InFolder, "all bytes are written however few the system takes at a time") {
  const File file = File::open(folder.file("new"), OpenAs::fresh);
  const std::string text = "eleven byte";
  const FailingSystem system(test::slow_disk(3));
  CHECK(file.write_all(std::as_bytes(std::span(text))) == 0);
  CHECK(system.made(SystemCall::write) == 8);
  CHECK(file.write_all_at(std::as_bytes(std::span(text)), 9) == 0);
  CHECK(test::text_of(folder.file("new")) == "eleven byeleven byte");
}

TEST_CASE_FIXTURE(test::InFolder, "an error and a write of zero bytes are reported") {
  const File file = File::open(folder.file("new"), OpenAs::fresh);
  {
    const FailingSystem system(test::every(SystemCall::write, kQuotaExceeded));
    CHECK(file.write_all(std::as_bytes(std::span("x"))) == kQuotaExceeded);
  }
  const FailingSystem system([](const test::PresentCall&) { return Fault{.most_bytes = 0}; });
  CHECK(file.write_all(std::as_bytes(std::span("x"))) == EIO);
  CHECK(file.write_all({}) == 0);
}

TEST_CASE_FIXTURE(test::InFolder, "a failed sync is reported at once, and an interrupted one is repeated") {
  const File file = File::open(folder.file("new"), OpenAs::fresh);
  {
    const FailingSystem system(test::every(SystemCall::sync, EIO));
    CHECK(file.sync() == EIO);
    CHECK(system.made(SystemCall::sync) == 1);
  }
  const FailingSystem system([made = 0](const test::PresentCall&) mutable { return Fault{.error = ++made < 4 ? EINTR : 0}; });
  CHECK(file.sync() == 0);
  CHECK(system.made(SystemCall::sync) == 4);
}

TEST_CASE_FIXTURE(test::InFolder, "interrupted calls are repeated") {
  write_file(folder.file("file"), "text");
  const FailingSystem system(
      [made = 0](const test::PresentCall&) mutable { return Fault{.error = ++made % 2 == 1 ? EINTR : 0}; });
  const File file = File::open(folder.file("file"), OpenAs::reader);
  REQUIRE(file.is_open());
  std::string text(10, ' ');
  CHECK(file.read(std::as_writable_bytes(std::span(text))) == 4);
  CHECK(file.read_at(std::as_writable_bytes(std::span(text)), 1) == 3);
  CHECK(file.try_lock() == 0);
}

TEST_CASE_FIXTURE(test::InFolder, "a nameless file leaves no name, also where the file system cannot make one") {
  CHECK(File::nameless(folder.file("."), folder.file("named")).is_open());
  CHECK(folder.entries() == 0);
  const FailingSystem system(test::one(1, {.error = EOPNOTSUPP}, {SystemCall::open}));
  CHECK(File::nameless(folder.file("."), folder.file("named")).write_all(std::as_bytes(std::span("text"))) == 0);
  CHECK(system.made(SystemCall::open) == 2);
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(test::InFolder, "A pipe, a device and a folder are refused where a file is expected, without waiting") {
  const std::string pipe = folder.file("pipe");
  if (test::made_named_pipe(pipe)) CHECK_THROWS_AS(static_cast<void>(open_regular_file(pipe)), SystemError);
  CHECK_THROWS_AS(static_cast<void>(open_regular_file("/dev/zero")), SystemError);
  CHECK_THROWS_AS(static_cast<void>(open_regular_file(folder.file("."))), SystemError);
  write_file(folder.file("file"), "text");
  CHECK(open_regular_file(folder.file("file")).is_open());
}

}  // namespace
}  // namespace inkling
