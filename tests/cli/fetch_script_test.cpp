// The script `datasets/fetch` as a user meets it, without a network.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tests/cli/run_program.hpp"
#include "tests/support/io/temporary_folder.hpp"
#include "tests/support/io/tests_path.hpp"

namespace inkling::test {
namespace {

/// The checksum of "hello\n" by sha256sum.
constexpr const char* kHelloSum = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

/// The folders `copies`, with this text as greeting.txt, and `here`, and a catalogue with the checksum of "hello\n".
class DataFolders {
 public:
  explicit DataFolders(const std::string& greeting) {
    std::filesystem::create_directory(folder_.path() / "copies");
    write("copies/greeting.txt", greeting);
    write("catalogue.tsv", std::string("# a comment\ngreeting\tgreeting.txt\t") + kHelloSum + "\t-\n");
  }

  ProgramResult fetch(std::vector<std::string> args) const {
    args.insert(args.end(), {"--to", folder_.file("here"), "--catalogue", folder_.file("catalogue.tsv")});
    return run_program(tests_path("../datasets/fetch"), args);
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    std::ofstream(folder_.file(name)) << text;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] std::ptrdiff_t fetched() const {
    const std::filesystem::directory_iterator here(folder_.path() / "here");
    return std::distance(here, std::filesystem::directory_iterator());
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("fetch copies a file of the right checksum and says where it is") {
  const DataFolders folders("hello\n");
  const ProgramResult first = succeeded(folders.fetch({"greeting", "--from", folders.file("copies")}));
  CHECK(first.out == folders.file("here/greeting.txt") + "\n");
  CHECK(first.err.empty());
  CHECK(text_of(folders.file("here/greeting.txt")) == "hello\n");
  CHECK(folders.fetched() == 1);
  const ProgramResult again = folders.fetch({"greeting"});  // is there already and needs neither a copy nor the network
  CHECK(again.exit_code == 0);
  CHECK(again.out == first.out);
}

TEST_CASE("fetch refuses a file of another checksum and leaves nothing behind") {
  const DataFolders folders("hallo\n");
  const ProgramResult result = folders.fetch({"greeting", "--from", folders.file("copies")});
  CHECK(result.exit_code == 3);
  CHECK(result.out.empty());
  CHECK(result.err.find("copies/greeting.txt: expected sha256 " + std::string(kHelloSum) + ", found ") != std::string::npos);
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
      {{"greeting"}, 4, "fetch: greeting: no address is known; give a copy with --from (datasets/README.md names the sources)\n"},
  };
  for (const Case& expected : cases) {
    const ProgramResult result = folders.fetch(expected.args);
    CHECK(result.exit_code == expected.exit_code);
    CHECK(result.out.empty());
    CHECK(result.err == expected.message);
  }
}

/// A data set of two files in the folder `letters`, each of which holds "hello\n".
void catalogue_letters(const DataFolders& folders) {
  const std::string sum = kHelloSum;
  folders.write("catalogue.tsv", "letters\tletters/a.txt\t" + sum + "\t-\nletters\tletters/b.txt\t" + sum + "\t-\n");
}

TEST_CASE("fetch copies all parts of a data set from their folder or from the folder that holds it") {
  const DataFolders folders("hello\n");
  catalogue_letters(folders);
  for (const char* place : {"copies/", "copies/letters/"}) {
    for (const char* name : {"a.txt", "b.txt"}) folders.write(place + std::string(name), "hello\n");
    const ProgramResult first = succeeded(folders.fetch({"letters", "--from", folders.file("copies")}));
    CHECK(first.out == folders.file("here/letters") + "\n");
    CHECK(text_of(folders.file("here/letters/b.txt")) == "hello\n");
    CHECK(folders.fetched() == 1);
    CHECK(folders.fetch({"letters"}).out == first.out);  // is there already
    std::filesystem::remove_all(folders.file("here/letters"));
    std::filesystem::remove(folders.file("copies/a.txt"));
  }
}

TEST_CASE("fetch copies no part if one is missing or wrong and keeps a folder that is not its own") {
  const DataFolders folders("hello\n");
  catalogue_letters(folders);
  folders.write("copies/a.txt", "hello\n");
  const ProgramResult missing = folders.fetch({"letters", "--from", folders.file("copies")});
  CHECK(missing.exit_code == 4);
  CHECK(missing.err.find("copies: expected letters/b.txt or b.txt there, found neither") != std::string::npos);
  folders.write("copies/b.txt", "hallo\n");
  const ProgramResult wrong = folders.fetch({"letters", "--from", folders.file("copies")});
  CHECK(wrong.exit_code == 3);
  CHECK(wrong.err.find("copies/b.txt: expected sha256 " + std::string(kHelloSum) + ", found ") != std::string::npos);
  CHECK(folders.fetched() == 0);
  folders.write("copies/b.txt", "hello\n");
  folders.write("here/letters/mine.txt", "mine");
  const ProgramResult taken = folders.fetch({"letters", "--from", folders.file("copies")});
  CHECK(taken.exit_code == 4);
  CHECK(taken.err.find("here/letters: exists and is not this data set; move it away") != std::string::npos);
  CHECK(text_of(folders.file("here/letters/mine.txt")) == "mine");
  CHECK(folders.fetched() == 1);
  CHECK(folders.fetch({"letters"}).err.find("letters: no address is known") != std::string::npos);
}

TEST_CASE("The catalogue of this project has a checksum in every line and an address for every data set but the reviews") {
  const ProgramResult help = succeeded(run_program(tests_path("../datasets/fetch"), {"--help"}));
  CHECK(help.out.find("(20newsgroups, movie-rationales, reviews)") != std::string::npos);
  std::ifstream catalogue(tests_path("../datasets/catalogue.tsv"));
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
