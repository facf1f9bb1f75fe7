#include "io/file/mapped_file.hpp"

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"
#include "io/file/output_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling {
namespace {

std::string_view text_in(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

int mapping_error_of(const std::string& path) {
  try {
    const MappedFile file(path);
  } catch (const SystemError& error) {
    CHECK(error.path() == path);
    return error.error_number();
  }
  return 0;
}

TEST_CASE("a mapped file shows its bytes even when it is deleted or replaced") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  const MappedFile old(path);
  write_file(path, "newer");
  const MappedFile newer(path);
  std::filesystem::remove(path);
  CHECK(text_in(old) == "old");
  CHECK(text_in(newer) == "newer");
}

TEST_CASE("an empty file is mapped as no bytes") {
  const test::TemporaryFolder folder;
  write_file(folder.file("file"), "");
  const MappedFile file(folder.file("file"));
  CHECK(file.bytes().empty());
}

TEST_CASE("what cannot be mapped is refused with path and errno") {
  const test::TemporaryFolder folder;
  CHECK(mapping_error_of(folder.file("absent")) == ENOENT);
  CHECK(mapping_error_of(folder.file("")) == EISDIR);
  CHECK(mapping_error_of("/dev/null") == EINVAL);
}

TEST_CASE("an address is known by its file while it is mapped") {
  const test::TemporaryFolder folder;
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

TEST_CASE("pages that are forgotten are there again when they are touched") {
  const test::TemporaryFolder folder;
  const std::string text(100'000, 'x');
  write_file(folder.file("file"), text);
  const MappedFile file(folder.file("file"));
  forget_pages(file.bytes().subspan(5000, 50'000));
  forget_pages({});
  CHECK(text_in(file) == text);
}

}  // namespace
}  // namespace inkling
