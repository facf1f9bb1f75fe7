// The script `datasets/fetch` as a user meets it, without a network.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace inkling::test {
namespace {

/// Of "hello\n", as sha256sum says.
constexpr const char* kHelloSum = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

/// Folders `copies` (holds greeting.txt with this text) and `here`, and a catalogue that wants "hello\n".
class DataFolders {
 public:
  explicit DataFolders(const std::string& greeting) {
    std::filesystem::create_directory(folder_.path() / "copies");
    write("copies/greeting.txt", greeting);
    write("catalogue.tsv", std::string("# a comment\ngreeting\tgreeting.txt\t") + kHelloSum + "\t-\n");
  }

  ProgramResult fetch(std::vector<std::string> args) const {
    args.insert(args.end(), {"--to", folder_.file("here"), "--catalogue", folder_.file("catalogue.tsv")});
    return run_program(INKLING_TESTS_DIR "/../datasets/fetch", args);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::ptrdiff_t fetched() const {
    const std::filesystem::directory_iterator here(folder_.path() / "here");
    return std::distance(here, std::filesystem::directory_iterator());
  }

 private:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
  }

  TemporaryFolder folder_;
};

TEST_CASE("fetch copies a file of the right checksum and says where it is") {
  const DataFolders folders("hello\n");
  const ProgramResult first = folders.fetch({"greeting", "--from", folders.file("copies")});
  CHECK(first.exit_code == 0);
  CHECK(first.out == folders.file("here/greeting.txt") + "\n");
  CHECK(first.err.empty());
  CHECK(text_of(folders.file("here/greeting.txt")) == "hello\n");
  CHECK(folders.fetched() == 1);
  const ProgramResult again =
      folders.fetch({"greeting"});  // is there already: needs neither copy nor network
  CHECK(again.exit_code == 0);
  CHECK(again.out == first.out);
}

TEST_CASE("fetch refuses a file of another checksum and leaves nothing behind") {
  const DataFolders folders("hallo\n");
  const ProgramResult result = folders.fetch({"greeting", "--from", folders.file("copies")});
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK(result.err.find("copies/greeting.txt: expected sha256 " + std::string(kHelloSum) + ", found ") !=
        std::string::npos);
  CHECK(folders.fetched() == 0);
}

TEST_CASE("fetch says what is missing and what to do") {
  const DataFolders folders("hello\n");
  struct Case {
    std::vector<std::string> args;
    int exit_code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, 2, "fetch: expected the name of a data set: greeting\n"},
      {{"greetings"}, 2, "fetch: unknown data set 'greetings'; expected one of: greeting\n"},
      {{"greeting", "more"}, 2, "fetch: unexpected argument 'more'; one data set at a time\n"},
      {{"--form", "x"}, 2, "fetch: unknown option '--form'; 'fetch --help' lists them\n"},
      {{"greeting", "--from", ""}, 2, "fetch: --from: expected a value\n"},
      {{"greeting", "--from", folders.file("here")},
       4,
       "fetch: " + folders.file("here") + ": expected greeting.txt there, found none\n"},
      {{"greeting"}, 4, "fetch: greeting: no address is known; give a copy with --from\n"},
  };
  for (const Case& expected : cases) {
    const ProgramResult result = folders.fetch(expected.args);
    CHECK(result.exit_code == expected.exit_code);
    CHECK(result.out.empty());
    CHECK(result.err == expected.message);
  }
}

TEST_CASE("The catalogue of this project has a checksum in every line and an address for every data set") {
  const ProgramResult help = run_program(INKLING_TESTS_DIR "/../datasets/fetch", {"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.out.find("(20newsgroups, movie-rationales)") != std::string::npos);
  std::ifstream catalogue(INKLING_TESTS_DIR "/../datasets/catalogue.tsv");
  int addresses = 0;
  for (std::string line; std::getline(catalogue, line);) {
    if (line.starts_with('#')) continue;
    CAPTURE(line);
    std::istringstream columns(line);
    std::string name;
    std::string file;
    std::string sum;
    std::string address;
    columns >> name >> file >> sum >> address;
    CHECK(sum.size() == 64);
    CHECK(sum.find_first_not_of("0123456789abcdef") == std::string::npos);
    addresses += address.starts_with("http") ? 1 : 0;
  }
  CHECK(addresses == 2);
}

}  // namespace
}  // namespace inkling::test
