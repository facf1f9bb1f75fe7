// Links in folders and in archives.
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "io/corpus/unpack/archived_links.hpp"
#include "io/corpus/unpack/entries.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/archive_builder.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;
using test::ArchivedFiles, test::InFolder, test::packed;

ArchivedFiles all_of(const std::string& path) {
  Entries entries({path}, {.follow_links = true});
  ArchivedFiles files;
  std::string block(1000, '\0');
  while (const std::optional<Entry> entry = entries.next()) {
    const std::size_t got = entry->stream->read(block);
    files.emplace_back(entry->path, block.substr(0, got));
  }
  CHECK(entries.bytes_read() == entries.total_bytes());
  return files;
}

std::string refusal(const std::string& path) {
  return test::error_of([&] { static_cast<void>(all_of(path)); });
}

const ArchivedFiles kLinkedFiles = {{"a/1.txt", "one"}, {"b/2.txt", "two"}, {".c/3.txt", "three"}};

TEST_CASE_FIXTURE(InFolder, "links in archives lead to the same files as after unpacking") {
  const std::vector<ArchivedLink> links = {{"a/same.txt", "a/1.txt", false},
                                           {"a/soft.txt", "1.txt", true},
                                           {"b/other.txt", "../a/./1.txt", true},
                                           {"chain", "a/soft.txt", true},
                                           {"folder", "b", true},
                                           {"shown", ".c/3.txt", true},
                                           {"nothing", "a/9.txt", true},
                                           {"outside", "../../etc/passwd", true},
                                           {"root", "/etc/passwd", true},
                                           {"a/up", "../a", true},
                                           {".hidden", "a/1.txt", true}};
  for (const char* const filter : {"none", "gzip"}) {
    test::write_archive(folder.file("x"), "tar", filter, kLinkedFiles, {links.begin(), links.end() - 6});
    CHECK(refusal(folder.file("x")) == folder.file("x") +
                                           ": expected no link within a folder that another link leads to, found \"b/other.txt\" "
                                           "and \"folder\": unpack it and name the folder");
    std::vector<ArchivedLink> without = links;
    without.erase(without.begin() + 2);
    test::write_archive(folder.file("x"), "tar", filter, kLinkedFiles, without);
    const ArchivedFiles expected = {{"a/1.txt", "one"}, {"b/2.txt", "two"},    {"a/same.txt", "one"}, {"folder/2.txt", "two"},
                                    {"shown", "three"}, {"a/soft.txt", "one"}, {"chain", "one"}};
    CHECK(all_of(folder.file("x")) == expected);
  }
  test::write_archive(folder.file("x.zip"), "zip", "none", kLinkedFiles, {{"soft", "a/1.txt", true}});
  CHECK(all_of(folder.file("x.zip")) == ArchivedFiles{{"a/1.txt", "one"}, {"b/2.txt", "two"}, {"soft", "one"}});
}

TEST_CASE_FIXTURE(InFolder, "links that cannot be followed are refused by name") {
  const std::vector<ArchivedLink> link = {{"soft", "a/1.txt", true}};
  write_file(folder.file("in.tar"), packed("tar", "none", {{"inner.tar", packed("tar", "none", kLinkedFiles, link)}}));
  CHECK(refusal(folder.file("in.tar")) == folder.file("in.tar") +
                                              "/inner.tar/soft: expected files, found a link in an archive that is within "
                                              "another one: unpack it and name the folder");
  write_file(folder.file("x.gz"), packed("raw", "gzip", {{"x", packed("zip", "none", kLinkedFiles, link)}}));
  CHECK(refusal(folder.file("x.gz")).starts_with(folder.file("x.gz") + "/soft: expected files, found a link in a zip"));
  std::string newc = packed("newc", "none", {{"x", ""}});
  newc.replace(38, 8, "00000002");
  write_file(folder.file("x.cpio"), newc);
  CHECK(refusal(folder.file("x.cpio")).starts_with(folder.file("x.cpio") + "/x: expected files, found a hard link"));
}

TEST_CASE("a path within an archive is normalised") {
  CHECK(tidy_path("./a//b/../c/.") == "a/c");
  CHECK(tidy_path("/a").empty() == false);
  CHECK(tidy_path("../a").empty());
  CHECK(tidy_path("a/../../b").empty());
  CHECK(is_visible("a/b"));
  CHECK_FALSE(is_visible("a/.b"));
}

TEST_CASE_FIXTURE(InFolder, "many links to a few folders come to an end") {
  fs::create_directory(folder.file("0"));
  for (int level = 0; level < 35; ++level) {
    const std::string next = folder.file(std::to_string(level + 1));
    fs::create_directory(next);
    for (const char* const link : {"/left", "/right"})
      fs::create_directory_symlink(next, folder.file(std::to_string(level)) + link);
  }
  write_file(folder.file("35/1"), "text");
  CHECK_THROWS_WITH_AS(Entries({folder.file("0")}, {.follow_links = true}),
                       doctest::Contains("expected links that lead at most 1000 times"), FormatError);
}

TEST_CASE_FIXTURE(InFolder, "a few links to one folder are all followed") {
  fs::create_directories(folder.file("in/real"));
  write_file(folder.file("in/real/1"), "text");
  for (const char* const link : {"in/b", "in/z"}) fs::create_directory_symlink("real", folder.file(link));
  CHECK(all_of(folder.file("in")) == ArchivedFiles{{"b/1", "text"}, {"real/1", "text"}, {"z/1", "text"}});
}

TEST_CASE_FIXTURE(InFolder, "a walk through folders can be ended") {
  fs::create_directories(folder.file("a/b/c"));
  int asked = 0;
  const auto stop = [&] {
    if (++asked == 3) throw SystemError("x", 0, "stopped");
  };
  CHECK_THROWS_AS(Entries({folder.path().generic_string()}, {}, stop), SystemError);
}

}  // namespace
}  // namespace inkling
