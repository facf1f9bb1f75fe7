// What pipes and links hold is looked at without taking it, and without end.
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "io/corpus/source/format_detection.hpp"
#include "tests/support/io/temporary_folder.hpp"

namespace inkling {
namespace {

using test::InFolder;

std::vector<std::string> formats_of(const std::string& path) {
  std::vector<std::string> formats;
  for (const LookedAtFile& file : look_at_source(path, {}, [] {}).files) formats.emplace_back(file.content.format);
  return formats;
}

TEST_CASE_FIXTURE(InFolder, "a link from a folder into itself does not keep the look from ending") {
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "again");
  CHECK(formats_of(folder.path().generic_string()).empty());
}

// A pipe that holds the bytes; its path can be opened like that of standard input.
class FilledPipe {
 public:
  explicit FilledPipe(const std::string& bytes) {
    REQUIRE(::pipe(ends_.data()) == 0);
    REQUIRE(::write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~FilledPipe() {
    ::close(ends_[0]);
    close_writer();
  }
  FilledPipe(const FilledPipe&) = delete;
  FilledPipe& operator=(const FilledPipe&) = delete;
  FilledPipe(FilledPipe&&) = delete;
  FilledPipe& operator=(FilledPipe&&) = delete;

  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", ends_[0]); }
  [[nodiscard]] std::string read() const {
    std::string bytes(1000, '\0');
    bytes.resize(static_cast<std::size_t>(::read(ends_[0], bytes.data(), bytes.size())));
    return bytes;
  }

 private:
  std::array<int, 2> ends_ = {};
};

TEST_CASE("a look at a pipe takes nothing out of it") {
  const std::string objects = "{\"text\": \"a b\"}\n{\"text\": \"c\"}\n";
  FilledPipe pipe(objects);
  CHECK(formats_of(pipe.path()) == std::vector<std::string>{"jsonl"});
  CHECK(pipe.read() == objects);
}

TEST_CASE("an empty pipe that ends gives no format and waiting for one can be interrupted") {
  FilledPipe ended("");
  ended.close_writer();
  CHECK(formats_of(ended.path()).empty());
  struct Stop {};
  const FilledPipe idle("");
  CHECK_THROWS_AS(static_cast<void>(look_at_source(idle.path(), {}, [] { throw Stop(); })), Stop);
}

}  // namespace
}  // namespace inkling
