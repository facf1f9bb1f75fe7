// What pipes and links hold is looked at without taking it, and without end.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/pipes.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::AsStandardInput, test::InFolder, test::OpenPipe;

std::vector<std::string> formats_of(const std::string& path) {
  std::vector<std::string> formats;
  for (const LookedAtFile& file : look_at_source(path, {}, [] {}).files) formats.emplace_back(file.content.format);
  return formats;
}

TEST_CASE_FIXTURE(InFolder, "a link from a folder into itself does not keep the look from ending") {
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "again");
  CHECK(formats_of(folder.path().generic_string()).empty());
}

TEST_CASE("a look at a pipe takes nothing out of it") {
  const std::string objects = "{\"text\": \"a b\"}\n{\"text\": \"c\"}\n";
  const OpenPipe pipe;
  pipe.write(objects);
  const AsStandardInput input(pipe.out);
  CHECK(formats_of("/dev/stdin") == std::vector<std::string>{"jsonl"});
  std::array<char, 1000> bytes{};
  const std::ptrdiff_t read = pipe.out.read(std::as_writable_bytes(std::span(bytes)));
  CHECK(std::string_view(bytes.data(), static_cast<std::size_t>(read)) == objects);
}

TEST_CASE("an empty pipe that ends gives no format and waiting for one can be interrupted") {
  {
    OpenPipe ended;
    static_cast<void>(ended.in.close());
    const AsStandardInput input(ended.out);
    CHECK(formats_of("/dev/stdin").empty());
  }
  struct Stop {};
  const OpenPipe idle;
  const AsStandardInput input(idle.out);
  CHECK_THROWS_AS(static_cast<void>(look_at_source("/dev/stdin", {}, [] { throw Stop(); })), Stop);
}

}  // namespace
}  // namespace inkling
