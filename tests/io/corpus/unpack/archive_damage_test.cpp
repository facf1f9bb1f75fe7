// Archives that are damaged, cut or misnamed, and the memory that they may ask for.
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/system/file.hpp"
#include "io/corpus/unpack/entries.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using test::ArchivedFiles, test::packed, test::TemporaryFolder;

const ArchivedFiles kFiles = {{"a/one", "a text that is compressed, and a text"}, {"b/two", "second"}};

// The entries of a file, or why it is refused.
struct Read {
  ArchivedFiles files;
  std::string refused;
};

Read read_all(const std::string& path, UnpackingLimits limits = {}) {
  Read read;
  try {
    Entries entries({path}, limits);
    std::string block(1000, '\0');
    while (const std::optional<Entry> entry = entries.next()) {
      auto& file = read.files.emplace_back(entry->path, "");
      for (std::size_t got = block.size(); got == block.size();) {
        got = entry->stream->read(block);
        file.second.append(block, 0, got);
      }
    }
  } catch (const FormatError& error) {
    read.refused = error.expectation();
  }
  return read;
}

Read read_bytes(const std::string& bytes, const std::string& name = "x", UnpackingLimits limits = {}) {
  static const TemporaryFolder folder;  // one for thousands of files
  std::ofstream(folder.file(name), std::ios::binary) << bytes;
  Read read = read_all(folder.file(name), limits);
  fs::remove(folder.file(name));
  return read;
}

bool is_damage(const Read& read) { return read.refused.starts_with("expected an intact compressed file or archive, found: "); }

TEST_CASE("an archive is refused wherever it is cut even between two files") {
  for (const char* const format : {"tar", "zip", "cpio", "newc"}) {
    CAPTURE(format);
    const std::string whole = packed(format, "none", kFiles);
    const bool is_tar = format == "tar"s;
    // A tar file ends in zeros up to 10,240 bytes, of which one block is enough.
    const std::size_t needed = is_tar ? 4 * 512 + 512 : whole.find_last_not_of('\0') + 1;
    for (std::size_t length = 512; length < needed; ++length) {
      CAPTURE(length);
      CHECK(is_damage(read_bytes(whole.substr(0, length), "x"s)));
    }
    if (is_tar) CHECK(read_bytes(whole.substr(0, needed)).files == kFiles);
  }
}

TEST_CASE("a compressed file is refused wherever it is cut") {
  for (const char* const filter : {"gzip", "bzip2", "xz", "zstd", "lz4"}) {
    CAPTURE(filter);
    const std::string whole = packed("raw", filter, {{"x", "a text that is compressed, and a text"}});
    for (std::size_t length = 10; length < whole.size(); ++length) {
      CAPTURE(length);
      CHECK(is_damage(read_bytes(whole.substr(0, length))));
    }
  }
}

TEST_CASE("bytes after the end of a compressed file or an archive are refused unless they are zeros") {
  for (const char* const filter : {"gzip", "bzip2", "xz", "zstd", "lz4"}) {
    CAPTURE(filter);
    const std::string whole = packed("raw", filter, {{"x", "text"}});
    std::string second = whole;
    CHECK(read_bytes(whole + second).files == ArchivedFiles{{"x", "texttext"}});
    second.front() = static_cast<char>(second.front() ^ 1);
    CHECK(is_damage(read_bytes(whole + second)));
    if (filter != "zstd"s) CHECK(read_bytes(whole + std::string(512, '\0')).files == ArchivedFiles{{"x", "text"}});
  }
  for (const char* const format : {"tar", "cpio", "newc"}) {
    CAPTURE(format);
    for (const char* const filter : {"none", "gzip", "xz"}) {
      CHECK(read_bytes(packed(format, filter, kFiles) + std::string(512, '\0')).files == kFiles);
      const std::string twice = packed(format, "none", kFiles) + packed(format, "none", kFiles);
      CHECK(is_damage(read_bytes(twice)));
      CHECK(is_damage(read_bytes(packed("raw", filter, {{"x", twice}}))));
    }
  }
}

TEST_CASE("a flipped bit in the directory of a zip file does not lose a file silently") {
  for (const bool streamed : {false, true}) {
    const std::string whole = packed("zip", "none", kFiles);
    const std::size_t list = whole.find("PK\x01\x02");
    REQUIRE(list != std::string::npos);
    for (std::size_t bit = list * 8; bit < whole.size() * 8; ++bit) {
      CAPTURE(bit);
      const std::size_t in_record = bit / 8 - whole.rfind("PK\x01\x02", bit / 8);
      const bool says_what_it_is = in_record == 5 || (in_record >= 38 && in_record < 42);
      if (says_what_it_is) continue;  // whether it is a file, a folder or a device: such a bit may hide it
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      if (streamed) damaged = packed("raw", "gzip", {{"x", damaged}});
      const Read read = read_bytes(damaged);
      CHECK((!read.refused.empty() || read.files.size() == kFiles.size()));
    }
  }
}

TEST_CASE("a file in a zip is checked to its end wherever the zip is") {
  const std::string whole = packed("zip", "none", kFiles);
  for (std::size_t bit = 0; bit < whole.find("PK\x01\x02") * 8; ++bit) {
    CAPTURE(bit);
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    for (const bool streamed : {false, true}) {
      if (streamed && bit % 4 != 3) continue;
      const Read read = streamed ? read_bytes(packed("raw", "gzip", {{"x", damaged}}), "x.zip.gz") : read_bytes(damaged, "x.zip");
      if (!read.refused.empty()) continue;
      // Names have no checksum, and a name that ends in a slash is a folder's.
      const std::size_t name = whole.find("PK\x03\x04", 1) + 30;
      if (bit / 8 >= name && bit / 8 < name + kFiles[1].first.size()) continue;
      REQUIRE(read.files.size() == kFiles.size());
      for (std::size_t n = 0; n < kFiles.size(); ++n) CHECK(read.files[n].second == kFiles[n].second);
    }
  }
}

TEST_CASE("a file that is packed in another way than its name says is refused with the way found") {
  for (const char* const name :
       {"a.gz", "a.zip", "a.tar", "a.tgz", "a.tar.gz", "a.txt.xz", "A.ZST", "a.bz2", "a.lz4", "a.7z", "a.rar"}) {
    CAPTURE(name);
    CHECK(read_bytes("plain text that is long enough", name).refused.find("found \"plain text that") != std::string::npos);
    CHECK(read_bytes("", name).refused.find("found an empty file") != std::string::npos);
  }
  CHECK(read_bytes(packed("raw", "gzip", {{"x", "text"}}), "a.tar.gz").refused.starts_with("expected an archive"));
  CHECK(read_bytes(packed("raw", "gzip", {{"x", "text"}}), "a.txt.xz").files == ArchivedFiles{{"a.txt.xz", "text"}});
  CHECK(read_bytes(packed("tar", "none", kFiles), "a.zip").files == kFiles);
  const std::string member = packed("tar", "none", {{"b.txt.gz", "no gzip"}});
  CHECK(read_bytes(member).refused.starts_with("expected a compressed file, as the name says (.gz), found \"no gzip\""));
}

TEST_CASE("a damaged beginning does not turn a packed file into a text") {
  for (const auto& [format, filter, name] :
       {std::tuple("raw", "gzip", "a.gz"), std::tuple("raw", "xz", "a.xz"), std::tuple("raw", "zstd", "a.zst"),
        std::tuple("raw", "bzip2", "a.bz2"), std::tuple("raw", "lz4", "a.lz4"), std::tuple("zip", "none", "a.zip"),
        std::tuple("tar", "none", "a.tar"), std::tuple("tar", "gzip", "a.tgz")}) {
    CAPTURE(name);
    const ArchivedFiles files = {{"x", "some text"}};
    const std::string whole = packed(format, filter, files);
    for (std::size_t bit = 0; bit < 32; ++bit) {
      CAPTURE(bit);
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
      const Read read = read_bytes(damaged, name);
      CHECK((!read.refused.empty() || read.files.at(0).second == "some text"));
    }
  }
}

TEST_CASE("a tar file without files has none") {
  const std::string zeros(10240, '\0');
  CHECK(read_bytes(zeros, "a.tar").files.empty());
  CHECK(read_bytes(zeros, "a.tar").refused.empty());
  CHECK(read_bytes(packed("raw", "gzip", {{"x", zeros}}), "a.tgz").files.empty());
  CHECK(is_damage(read_bytes(zeros + "text", "a.tar")));
  CHECK(read_bytes(zeros, "a.txt").files == ArchivedFiles{{"a.txt", zeros}});
}

TEST_CASE("compressed files in archives and in compressed files are unpacked and checked") {
  const std::string inner = packed("raw", "gzip", {{"x", "text"}});
  CHECK(read_bytes(packed("tar", "none", {{"a/1.txt.gz", inner}, {"2", "plain"}})).files ==
        ArchivedFiles{{"a/1.txt.gz", "text"}, {"2", "plain"}});
  CHECK(read_bytes(packed("raw", "gzip", {{"x", inner}})).files == ArchivedFiles{{"x", "text"}});
  std::string damaged = inner;
  damaged[damaged.size() - 8] = static_cast<char>(damaged[damaged.size() - 8] ^ 1);
  CHECK(is_damage(read_bytes(packed("zip", "none", {{"1.gz", damaged}}))));
  CHECK(is_damage(read_bytes(packed("raw", "xz", {{"x", damaged}}))));
  std::string many = "text";
  for (int layer = 0; layer < 20; ++layer) many = packed("raw", "gzip", {{"x", many}});
  CHECK(read_bytes(many).refused.starts_with("expected at most 8 archives and compressed files within one another"));
}

TEST_CASE("a program may stand before a zip file") {
  const std::string zip = packed("zip", "none", kFiles);
  CHECK(read_bytes("#!/bin/sh\nexec unzip $0\n" + zip, "a.run").files == kFiles);
  CHECK(read_bytes("MZ" + std::string(70000, 'x') + zip, "a.exe").files == kFiles);
  CHECK(read_bytes("PK in a text").files == ArchivedFiles{{"x", "PK in a text"}});
}

TEST_CASE("a name marked as UTF-8 that is not keeps its folder and its readable part") {
  std::string zip = packed("zip", "none", {{"topic/caf\xC3\xA9", "text"}});
  for (std::size_t at = zip.find("\xC3\xA9"); at != std::string::npos; at = zip.find("\xC3\xA9", at))
    zip.replace(at, 2, "\xFF\xFE");
  CHECK(read_bytes(zip).files == ArchivedFiles{{"topic/caf\xFF\xFE", "text"}});
  CHECK(read_bytes(packed("raw", "gzip", {{"x", zip}})).files == ArchivedFiles{{"topic/caf\xFF\xFE", "text"}});
}

TEST_CASE("a length in a header is checked before memory is allocated for it") {
  std::string newc = packed("newc", "none", {{"x", "text"}});
  newc.replace(94, 8, "70000000");
  CHECK(read_bytes(newc).refused.find("a name of 1879048192 bytes, where 65535 are the most") != std::string::npos);
  CHECK(read_bytes(packed("raw", "gzip", {{"x", newc}})).refused.find("a name of") != std::string::npos);
  std::string odc = packed("cpio", "none", {{"x", "text"}});
  odc.replace(59, 6, "777777");
  CHECK(read_bytes(odc).refused.find("a name of 262143 bytes") != std::string::npos);
}

TEST_CASE("a damaged header of cpio that libarchive would skip hides no other header") {
  const std::string newc = packed("newc", "none", {{"x", "text"}});
  const std::string odc = packed("cpio", "none", {{"x", "text"}});
  std::string long_name = newc;
  long_name.replace(94, 8, "70000000");
  const auto refused = [](std::initializer_list<std::string_view> parts, const std::string& reason) {
    std::string bytes;
    for (const std::string_view part : parts) bytes.append(part);
    CAPTURE(bytes);
    CHECK(read_bytes(bytes).refused.find(reason) != std::string::npos);
  };
  // An archive without its last header. Whatever follows is checked.
  const std::string begun = newc.substr(0, newc.find("070701", 1));
  const std::string begun_odc = odc.substr(0, odc.find("070707", 1));
  for (const std::size_t digit : {6U, 20U, 61U}) {
    std::string no_header = newc;
    no_header[digit] = 'g';
    refused({begun, no_header, long_name}, "a damaged header");
    std::string no_odc = odc;
    no_odc[digit] = '8';
    refused({begun_odc, no_odc, odc}, "a damaged header");
  }
  refused({begun, odc, long_name}, "a header of another kind of cpio");
  refused({begun_odc, newc}, "a header of another kind of cpio");
  // The name TRAILER!!! marks the end; a file may have a longer name that begins with it.
  std::string file = packed("newc", "none", {{"TRAILER!!!abc", ""}});
  file.replace(file.find("TRAILER!!!abc"), 13, std::string("TRAILER!!!\0bc", 13));
  refused({begun, file.substr(0, file.find("070701", 1)), long_name}, "a name of 1879048192 bytes");
}

TEST_CASE("a window or a list of files that needs too much memory is refused with what it needs") {
  const UnpackingLimits small = {.most_memory = 4096};
  for (const char* const filter : {"xz", "zstd"}) {
    CAPTURE(filter);
    const std::string whole = packed("raw", filter, {{"x", std::string(100000, 'x')}});
    CHECK(read_bytes(whole, "x", small).refused.find("of memory (a quarter of --memory), found that it needs") !=
          std::string::npos);
    CHECK(read_bytes(whole).files.size() == 1);
  }
  ArchivedFiles many;
  for (int n = 0; n < 100; ++n) many.emplace_back(std::to_string(n), "");
  CHECK(read_bytes(packed("zip", "none", many), "x", small).refused.find("needs 22400") != std::string::npos);
  CHECK(read_bytes(packed("zip", "none", many)).files.size() == 100);
}

}  // namespace
}  // namespace inkling
