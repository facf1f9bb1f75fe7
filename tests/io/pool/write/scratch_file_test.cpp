#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/pool/write/staged_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling {
namespace {

TEST_CASE("a scratch file gives back what it was given and has no name") {
  const test::TemporaryFolder folder;
  const PoolStaging staging(folder.file("P"));
  ScratchFile scratch(staging);
  const std::string text = "0123456789";
  CHECK(scratch.append(std::as_bytes(std::span(text))) == 0);
  CHECK(scratch.append(std::as_bytes(std::span(text))) == 10);
  CHECK(scratch.size() == 20);
  std::string read(6, '\0');
  scratch.read(8, std::as_writable_bytes(std::span(read)));
  CHECK(read == "890123");
  CHECK(std::filesystem::is_empty(staging.folder()));
}

TEST_CASE("what is released is gone and the rest stays") {
  const test::TemporaryFolder folder;
  const PoolStaging staging(folder.file("P"));
  ScratchFile scratch(staging);
  const std::string text(200'000, 'x');
  scratch.append(std::as_bytes(std::span(text)));
  scratch.release(0, 100'000);
  std::string read(100'000, '\0');
  scratch.read(100'000, std::as_writable_bytes(std::span(read)));
  CHECK(read == text.substr(100'000));
}

TEST_CASE("reading past the end is an error and not an endless wait") {
  const test::TemporaryFolder folder;
  const PoolStaging staging(folder.file("P"));
  const ScratchFile scratch(staging);
  std::vector<std::byte> bytes(1);
  CHECK_THROWS_AS(scratch.read(0, bytes), SystemError);
}

}  // namespace
}  // namespace inkling
