#include "io/base/file/mapped_file.hpp"

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/base/file/output_file.hpp"
#include "tests/support/engine/messages.hpp"
#include "tests/support/io/pipes.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

std::string_view text_in(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

int mapping_error_of(const std::string& path) {
  return test::error_number_of(path, [&] { const MappedFile file(path); });
}

TEST_CASE_FIXTURE(test::InFolder, "a mapped file shows its bytes even when it is deleted or replaced") {
  const std::string path = folder.file("file");
  write_file(path, "old");
  const MappedFile old(path);
  write_file(path, "newer");
  const MappedFile newer(path);
  std::filesystem::remove(path);
  CHECK(text_in(old) == "old");
  CHECK(text_in(newer) == "newer");
}

TEST_CASE_FIXTURE(test::InFolder,
                  "an empty file is mapped as no bytes, and one that cannot be mapped is refused with path and errno") {
  write_file(folder.file("file"), "");
  const MappedFile file(folder.file("file"));
  CHECK(file.bytes().empty());
  CHECK(mapping_error_of(folder.file("absent")) == ENOENT);
  CHECK(mapping_error_of(folder.file("")) == EISDIR);
  CHECK(mapping_error_of("/dev/null") == EINVAL);
}

TEST_CASE_FIXTURE(test::InFolder, "an address is known by its file while it is mapped") {
  write_file(folder.file("file"), "text");
  MappedFile first(folder.file("file"));
  const void* const address = first.bytes().data();
  MappedFile second = std::move(first);
  CHECK(mapped_path_at(address) == folder.file("file"));
  CHECK(mapped_path_at(&folder) == nullptr);
  write_file(folder.file("other"), "text");
  second = MappedFile(folder.file("other"));
  CHECK(mapped_path_at(second.bytes().data()) == folder.file("other"));
}

TEST_CASE_FIXTURE(test::InFolder, "an address is known by its file however many files are mapped") {
  std::vector<MappedFile> files;
  constexpr int many = 1500;
  files.reserve(many);
  write_file(folder.file("one"), "text");
  for (int n = 0; n < many; ++n) files.emplace_back(folder.file("one"));
  write_file(folder.file("last"), "text");
  const MappedFile last(folder.file("last"));
  CHECK(mapped_path_at(last.bytes().data()) == folder.file("last"));
  CHECK(mapped_path_at(files.back().bytes().data()) == folder.file("one"));
  files.clear();
  CHECK(mapped_path_at(last.bytes().data()) == folder.file("last"));
}

TEST_CASE_FIXTURE(test::InFolder, "a pipe is refused without waiting for somebody to write to it") {
  if (!test::made_named_pipe(folder.file("pipe"))) return;
  CHECK(mapping_error_of(folder.file("pipe")) == EINVAL);
}

}  // namespace
}  // namespace inkling
