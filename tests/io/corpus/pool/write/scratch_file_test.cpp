#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/write/staged_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

TEST_CASE_FIXTURE(test::InFolder, "a scratch file gives back what it was given and has no name") {
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

TEST_CASE_FIXTURE(test::InFolder, "released bytes are freed and the rest can be read") {
  const PoolStaging staging(folder.file("P"));
  ScratchFile scratch(staging);
  const std::string text(200'000, 'x');
  scratch.append(std::as_bytes(std::span(text)));
  scratch.release(0, 100'000);
  std::string read(100'000, '\0');
  scratch.read(100'000, std::as_writable_bytes(std::span(read)));
  CHECK(read == text.substr(100'000));
}

TEST_CASE_FIXTURE(test::InFolder, "released bytes of the part in memory are freed and the rest can be read from memory or file") {
  const PoolStaging staging(folder.file("P"));
  const std::string text = std::string(5'000'000, 'x') + std::string(2'000'000, 'y');
  for (const bool written : {false, true}) {
    ScratchFile scratch(staging, 6'000'000);
    scratch.append(std::as_bytes(std::span(text).first(5'500'000)));
    scratch.append(std::as_bytes(std::span(text).subspan(5'500'000)));
    CHECK(scratch.kept() == 5'500'000);
    scratch.release(0, 4'500'000);
    if (written) scratch.write_kept();
    std::string read(2'500'000, '\0');
    scratch.read(4'500'000, std::as_writable_bytes(std::span(read)));
    const bool same = read == text.substr(4'500'000);
    CHECK(same);
  }
}

TEST_CASE_FIXTURE(test::InFolder, "reading past the end is an error and not an endless wait") {
  const PoolStaging staging(folder.file("P"));
  const ScratchFile scratch(staging);
  std::vector<std::byte> bytes(1);
  CHECK_THROWS_AS(scratch.read(0, bytes), SystemError);
}

TEST_CASE_FIXTURE(test::InFolder, "the part that is kept in memory is read like the rest and can be written to the file later") {
  const PoolStaging staging(folder.file("P"));
  std::string text(7'000'000, 'x');
  for (std::size_t n = 0; n < text.size(); ++n) text[n] = static_cast<char>('a' + n * n % 23);
  for (const std::uint64_t most : std::initializer_list<std::uint64_t>{0, 1, 1'000'000, 5'000'000, 100'000'000}) {
    for (const std::size_t written_at : std::initializer_list<std::size_t>{0, 400'000, 4'000'000, 7'000'000}) {
      ScratchFile scratch(staging, most);
      for (std::size_t at = 0; at < text.size(); at += 100'000) {
        if (at == written_at) scratch.write_kept();
        CHECK(scratch.append(std::as_bytes(std::span(text).subspan(at, 100'000))) == at);
        CHECK(scratch.kept() <= most);
      }
      if (written_at == text.size()) scratch.write_kept();
      CHECK(scratch.kept() == (written_at > 0 ? 0 : scratch.kept()));
      for (const std::size_t begin : std::initializer_list<std::size_t>{0, 950'000, 2'097'100, 4'950'000, 6'999'990}) {
        std::string read(std::min<std::size_t>(2'500'000, text.size() - begin), '\0');
        scratch.read(begin, std::as_writable_bytes(std::span(read)));
        const bool same = read == text.substr(begin, read.size());
        CHECK(same);
      }
    }
  }
}

}  // namespace
}  // namespace inkling
