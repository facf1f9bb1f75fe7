#include <string>

#include <doctest/doctest.h>

#include "io/corpus/unpack/archive_reader.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::TemporaryFolder;

Packing packing_of_archive(std::string_view format, std::string_view filter) {
  const TemporaryFolder folder;
  test::write_archive(folder.file("a"), format, filter, {{"some/file", "text"}});
  return packing_of(std::string_view(test::text_of(folder.file("a"))).substr(0, 512));
}

TEST_CASE("archives and compressed files are recognised by their content") {
  for (const char* const format : {"tar", "zip", "cpio", "newc"}) {
    CAPTURE(format);
    CHECK(packing_of_archive(format, "none") == Packing::archive);
  }
  for (const char* const filter : {"gzip", "bzip2", "xz", "zstd", "lz4"}) {
    CAPTURE(filter);
    CHECK(packing_of_archive("tar", filter) == Packing::compressed);
    CHECK(packing_of_archive("raw", filter) == Packing::compressed);
  }
}

TEST_CASE("the ending of a name says how the file is packed") {
  CHECK(promise_of_name("a.gz") == NamePromise{".gz", {}});
  CHECK(promise_of_name("A.TAR.GZ") == NamePromise{".gz", ".tar"});
  CHECK(promise_of_name("a.tgz") == NamePromise{".tgz", ".tgz"});
  CHECK(promise_of_name("a.zip") == NamePromise{{}, ".zip"});
  CHECK(promise_of_name("folder/a.7z") == NamePromise{".7z", {}});
  for (const char* const name : {"a", "a.txt", ".gz", "gz", "a.gz.txt", "a.zipper", ""})
    CHECK(promise_of_name(name) == NamePromise{});
}

TEST_CASE("text is never taken for an archive") {
  for (const std::string& text :
       {std::string(), std::string("plain"), std::string(1024, '\0'), std::string(1024, ' '), std::string("070701 is a number"),
        std::string("070707") + std::string(600, 'x'), std::string("BZh9 is not compressed"), std::string("PK and friends"),
        std::string("begin 644 file\n"), std::string("#mtree\n"), std::string("!<arch>\n"), std::string("WARC/1.0\n"),
        std::string("\x1F\x8B"), std::string("\n", 1) + std::string(511, '0')}) {
    CAPTURE(text);
    CHECK(packing_of(text) == Packing::none);
  }
}

}  // namespace
}  // namespace inkling
