#include "io/base/file/partial_folder.hpp"

#include <filesystem>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

namespace fs = std::filesystem;

using test::InFolder, test::TemporaryFolder, test::text_of;

constexpr std::string_view kFiles[] = {"a.npy", "in/b.npy"};
constexpr std::string_view kFolders[] = {"in"};
constexpr PartialContents kContents = {.files = kFiles, .folders = kFolders};

// The text that a writer puts into its marker.
std::string marker_text() {
  const TemporaryFolder folder;
  const PartialFolder partial(folder.file("x"), "x");
  return text_of(partial.path() + "/inkling-partial");
}

// Makes the leftover of a writer of `place` that was killed, with this much of its marker.
std::string leave(const std::string& place, const std::string& marker) {
  std::string path = place + ".partial-123-0";
  fs::create_directory(path);
  write_file(path + "/inkling-partial", marker);
  return path;
}

void fill(const std::string& folder, const std::string& text) {
  fs::create_directories(folder + "/in");
  write_file(folder + "/a.npy", text);
  write_file(folder + "/in/b.npy", text);
}

void remove_leftovers_of(const std::string& place) { remove_leftovers(std::span(&place, 1), kContents); }

TEST_CASE_FIXTURE(InFolder, "a folder being written holds a marker and is removed with its writer") {
  {
    const PartialFolder partial(folder.file("P"), "P", kContents);
    CHECK(partial.path().starts_with(folder.file("P.partial-")));
    CHECK(text_of(partial.path() + "/inkling-partial").starts_with("Inkling writes here."));
    fill(partial.fresh(), "new");
    write_file(partial.scratch(), "");
  }
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(InFolder, "the leftover of a killed writer is removed even if it is an empty folder or has half a marker") {
  const std::string whole = marker_text();
  for (const std::string& marker : {whole, whole.substr(0, 10), std::string()}) {
    INFO(marker);
    fill(leave(folder.file("P"), marker) + "/new", "new");
    remove_leftovers_of(folder.file("P"));
    CHECK(folder.entries() == 0);
  }
  fs::create_directory(folder.file("P.partial-1-0"));
  remove_leftovers_of(folder.file("P"));
  CHECK(folder.entries() == 0);
}

TEST_CASE_FIXTURE(InFolder, "a folder without the marker, with another one or with a foreign file is never touched") {
  fs::create_directory(folder.file("P.partial-20240101-2"));
  write_file(folder.file("P.partial-20240101-2/thesis.txt"), "mine");
  write_file(leave(folder.file("Q"), "Not by Inkling.\n") + "/thesis.txt", "mine");
  write_file(leave(folder.file("R"), marker_text()) + "/thesis.txt", "mine");
  const std::string inner = leave(folder.file("S"), marker_text()) + "/new";
  fill(inner, "new");
  write_file(inner + "/in/thesis.txt", "mine");
  write_file(folder.file("T.partial-1-1"), "a file");
  for (const char* name : {"P", "Q", "R", "S", "T"}) remove_leftovers_of(folder.file(name));
  CHECK(text_of(folder.file("P.partial-20240101-2/thesis.txt")) == "mine");
  CHECK(text_of(folder.file("Q.partial-123-0/thesis.txt")) == "mine");
  CHECK(text_of(folder.file("R.partial-123-0/thesis.txt")) == "mine");
  CHECK(text_of(inner + "/in/thesis.txt") == "mine");
  CHECK(text_of(inner + "/a.npy") == "new");
  CHECK(folder.entries() == 5);
}

TEST_CASE_FIXTURE(InFolder, "only names of the same output are looked at") {
  for (const char* name : {"P.partial-1", "P.partial-1-2-3", "P.partial-notes", "Q.partial-1-2", "P.partial--1"}) {
    fs::create_directory(folder.file(name));
    write_file(folder.file(std::string(name) + "/inkling-partial"), marker_text());
  }
  remove_leftovers_of(folder.file("P"));
  CHECK(folder.entries() == 5);
}

TEST_CASE_FIXTURE(InFolder, "a leftover whose marker or file is still locked is left alone") {
  const PartialFolder by_marker(folder.file("P"), "P");
  PartialFolder by_file(folder.file("P"), "P");
  write_file(by_file.fresh(), "new");
  const File file = File::open(by_file.fresh(), OpenAs::writer);
  by_file.lock_by(file);
  remove_leftovers_of(folder.file("P"));
  CHECK(fs::exists(by_marker.path()));
  CHECK(fs::exists(by_file.path()));
}

TEST_CASE_FIXTURE(InFolder, "an old version goes back where its writer was killed before the new one had the name") {
  const std::string partial = leave(folder.file("P"), marker_text());
  fill(partial + "/old", "old");
  fill(partial + "/new", "new");
  remove_leftovers_of(folder.file("P"));
  CHECK(text_of(folder.file("P/in/b.npy")) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "an old version is removed where the new one has the name") {
  fill(leave(folder.file("P"), marker_text()) + "/old", "old");
  fill(folder.file("P"), "new");
  remove_leftovers_of(folder.file("P"));
  CHECK(text_of(folder.file("P/a.npy")) == "new");
  CHECK(folder.entries() == 1);
}

TEST_CASE_FIXTURE(InFolder, "if something else has taken the name both whole versions are kept") {
  const std::string partial = leave(folder.file("P"), marker_text());
  fill(partial + "/old", "old");
  fill(partial + "/new", "new");
  fill(folder.file("P"), "else");
  remove_leftovers_of(folder.file("P"));
  CHECK(text_of(partial + "/old/a.npy") == "old");
  CHECK(text_of(partial + "/new/a.npy") == "new");
  CHECK(text_of(folder.file("P/a.npy")) == "else");
}

TEST_CASE_FIXTURE(InFolder, "a folder that cannot be made names the target") {
  try {
    const PartialFolder partial(folder.file("missing/P"), "as given");
    FAIL("no error");
  } catch (const SystemError& error) {
    CHECK(error.path() == "as given");
    CHECK(error.error_number() == ENOENT);
  }
}

}  // namespace
}  // namespace inkling
