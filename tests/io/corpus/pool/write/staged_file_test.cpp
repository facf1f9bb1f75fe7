#include "io/corpus/pool/write/staged_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/corpus/pool/format/pool_layout.hpp"
#include "tests/support/engine/cases.hpp"
#include "tests/support/io/failing_system.hpp"
#include "tests/support/io/small_pools.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder, test::text_of;

std::string random_text(std::size_t size, RandomStream& random) {
  std::string text(size + sizeof(std::uint64_t), '\0');
  for (std::size_t at = 0; at < size; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(&text[at], &word, sizeof word);
  }
  text.resize(size);
  return text;
}

// Publishes the pool, and returns the manifest's record of its only file.
FileRecord published_record(PoolStaging& staging) {
  staging.publish({.program_version = "", .files = {}});
  return parse_manifest("M", text_of(staging.target() + "/manifest.json")).files.front();
}

TEST_CASE_FIXTURE(InFolder, "bytes arrive as they were appended and the record has their blocks' checksums") {
  constexpr std::uint64_t seed = 23;
  const std::vector<std::size_t> sizes = {
      0, 1, 5000, kChecksumBlockBytes - 1, kChecksumBlockBytes, kChecksumBlockBytes + 1, 2 * kChecksumBlockBytes + 77};
  for (std::size_t trial = 0; trial < sizes.size(); ++trial) {
    INFO("seed " << seed << " size " << sizes[trial]);
    RandomStream random = test::stream_for(seed, trial);
    const std::string text = random_text(sizes[trial], random);
    PoolStaging staging(folder.file("P"));
    StagedFile file(staging, "data.npy");
    for (std::string_view left = text; !left.empty();) {
      const std::string_view piece = left.substr(0, random.below(2 * kChecksumBlockBytes));
      file.append(piece);
      left.remove_prefix(piece.size());
    }
    CHECK(file.size() == text.size());
    file.close();
    const FileRecord record = published_record(staging);
    CHECK(text_of(folder.file("P/data.npy")) == text);
    CHECK(record.bytes == text.size());
    CHECK(record.checksums == test::block_checksums(std::as_bytes(std::span(text))));
  }
}

TEST_CASE_FIXTURE(InFolder, "a file is written in whole large pages after its first one") {
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    RandomStream random = test::stream_for(25, trial);
    PoolStaging staging(folder.file("P"));
    std::vector<std::uint64_t> ends = {0};
    const test::FailingSystem system([&ends](const test::PresentCall& present) {
      if (present.call == SystemCall::write) ends.push_back(ends.back() + present.bytes);
      return Fault();
    });
    StagedFile file(staging, "data.npy");
    const std::string text = random_text(3 * kLargePageBytes, random);
    const std::uint64_t most = std::uint64_t{1} << (10 + 4 * trial);
    for (std::uint64_t size = 0; size < 9 * kLargePageBytes; size = file.size())
      file.append(std::string_view(text).substr(0, 1 + random.below(most)));
    const std::uint64_t written = ends.back();
    CHECK(written % kLargePageBytes == 0);
    CHECK(written >= 8 * kLargePageBytes);
    for (std::size_t n = 1; n < ends.size(); ++n)
      if (ends[n - 1] >= kLargePageBytes) CHECK(ends[n] % kLargePageBytes == 0);
    file.close();
    CHECK(ends.back() > written);
  }
}

TEST_CASE_FIXTURE(InFolder, "small pieces between large ones arrive in order and in the checksums") {
  test::each_case(24, 6, [&](RandomStream& random) {
    const std::string text = random_text(10 * kChecksumBlockBytes + random.below(1 << 20U), random);
    PoolStaging staging(folder.file("P"));
    StagedFile file(staging, "data.npy");
    for (std::string_view left = text; !left.empty();) {
      const std::string_view piece = left.substr(0, random.below(std::uint64_t{1} << random.below(22)));
      file.append(piece);
      left.remove_prefix(piece.size());
    }
    file.close();
    const FileRecord record = published_record(staging);
    CHECK(text_of(folder.file("P/data.npy")) == text);
    CHECK(record.checksums == test::block_checksums(std::as_bytes(std::span(text))));
  });
}

TEST_CASE_FIXTURE(InFolder, "an overwritten beginning is in the file and in its checksum") {
  for (const std::size_t size : {std::size_t{6}, std::size_t{kChecksumBlockBytes}, std::size_t{3'000'000}}) {
    PoolStaging staging(folder.file("P"));
    StagedFile file(staging, "data.npy");
    file.append(std::string(size, 'x'));
    file.overwrite(1, "HEAD");
    file.close();
    const FileRecord record = published_record(staging);
    const std::string expected = "xHEAD" + std::string(size - 5, 'x');
    CHECK(text_of(folder.file("P/data.npy")) == expected);
    CHECK(record.checksums == test::block_checksums(std::as_bytes(std::span(expected))));
  }
}

TEST_CASE_FIXTURE(InFolder, "a beginning that cannot be overwritten is an error with the file's path") {
  PoolStaging staging(folder.file("P"));
  StagedFile file(staging, "data.npy");
  file.append(std::string(kChecksumBlockBytes, 'x'));
  const test::FailingSystem system(test::every(SystemCall::write, EIO));
  CHECK_THROWS_WITH_AS(file.overwrite(0, "HEAD"),
                       (folder.file("P/data.npy") + ": cannot write 4 bytes at 0: Input/output error").c_str(), SystemError);
}

TEST_CASE_FIXTURE(InFolder, "an array tells its length in the header") {
  PoolStaging staging(folder.file("P"));
  StagedArray<std::int32_t> array(staging, "indices.npy");
  array.append(1);
  array.append(std::vector<std::int32_t>{2, 3});
  CHECK(array.size() == 3);
  array.close();
  CHECK(text_of(staging.folder() + "/indices.npy") == pool_npy_header("<i4", 3) + std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12));
}

TEST_CASE_FIXTURE(InFolder, "strings lie one after the other and offsets tell where") {
  PoolStaging staging(folder.file("P"));
  StagedStrings strings(staging, "documents/ids");
  strings.append("ab");
  strings.append("");
  strings.append("ü");
  CHECK_THROWS_WITH_AS(strings.append("\xC3"), (folder.file("P/documents/ids.npy") + ": expected string 3 to be UTF-8").c_str(),
                       FormatError);
  strings.close();
  CHECK(text_of(staging.folder() + "/documents/ids.npy") == pool_npy_header("|u1", 4) + "abü");
  const std::string offsets = text_of(staging.folder() + "/documents/ids_indptr.npy");
  CHECK(offsets.substr(0, 128) == pool_npy_header("<i8", 4));
  CHECK(offsets[128 + 8] == 2);
  CHECK(offsets[128 + 16] == 2);
  CHECK(offsets[128 + 24] == 4);
}

TEST_CASE_FIXTURE(InFolder, "lines ascend and hold no line end or they are refused") {
  PoolStaging staging(folder.file("P"));
  StagedLines lines(staging, "vocabulary.txt");
  lines.append("boat");
  const std::string place = folder.file("P/vocabulary.txt") + ":2: expected a line ";
  CHECK_THROWS_WITH_AS(lines.append("boat"), (place + "that comes after the one before it").c_str(), FormatError);
  CHECK_THROWS_WITH_AS(lines.append("sa\nil"), (place + "without a line end").c_str(), FormatError);
  CHECK_THROWS_WITH_AS(lines.append("\xFF"), (place + "of UTF-8").c_str(), FormatError);
  lines.append("sail");
  lines.close();
  CHECK(text_of(staging.folder() + "/vocabulary.txt") == "boat\nsail\n");
}

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

TEST_CASE_FIXTURE(test::InFolder,
                  "released bytes in memory are freed, the rest can be read, and reading past the end is an error") {
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
