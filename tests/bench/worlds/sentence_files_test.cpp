#include "bench/worlds/sentence_files.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "engine/core/errors.hpp"

namespace inkling::bench {
namespace {

constexpr TextFile kSmallLists = {"lists.txt",
                                  "# A remark\n\nplant = roses | broad beans | leeks\n"
                                  "# Drawn anew each time\nfew = two | three | four | five\n"};

std::string error_of(const auto& work) {
  try {
    work();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_lines(std::string_view text) {
  const WordLists lists(kSmallLists);
  return error_of([&] { static_cast<void>(read_subjects({"garden.txt", text}, lists)); });
}

TEST_CASE("a file of sentences is read as subjects in their order") {
  const WordLists lists(kSmallLists);
  const TextFile file = {"garden.txt",
                         "# Opening\nHello.\n\n# Beans\n  I grow {plant}.\nDo you?\n\nAlways {few|many}!"};
  const std::vector<Subject> subjects = read_subjects(file, lists);
  REQUIRE(subjects.size() == 2);
  CHECK(subjects[0].heading == "Opening");
  CHECK(subjects[0].sentences == std::vector<std::string_view>{"Hello."});
  CHECK(subjects[1].heading == "Beans");
  CHECK(subjects[1].sentences ==
        std::vector<std::string_view>{"I grow {plant}.", "Do you?", "Always {few|many}!"});
}

TEST_CASE("lists of words are found by name and know whether they are drawn anew") {
  const WordLists lists(kSmallLists);
  REQUIRE(lists.find("plant") != nullptr);
  CHECK(lists.find("plant")->words == std::vector<std::string_view>{"roses", "broad beans", "leeks"});
  CHECK_FALSE(lists.find("plant")->anew);
  REQUIRE(lists.find("few") != nullptr);
  CHECK(lists.find("few")->words.size() == 4);
  CHECK(lists.find("few")->anew);
  CHECK(lists.find("animal") == nullptr);
}

TEST_CASE("a file that cannot be used is refused with the line and what was expected there") {
  CHECK(error_of_lines("# A\nGood.\n\nI grow {plnt}.\n")
            .starts_with("garden.txt:4: expected the name of a list"));
  CHECK(error_of_lines("# A\nI grow {plnt}.\n").find("got {plnt}") != std::string::npos);
  CHECK(error_of_lines("# A\nNo end\n").starts_with("garden.txt:2: expected a sentence that ends"));
  CHECK(error_of_lines("Good.\n").starts_with("garden.txt:1: expected a subject"));
  CHECK(error_of_lines("# A\n\n# B\nGood.\n").find("sentences below \"# A\"") != std::string::npos);
  for (const std::string_view text :
       {"# A\nI } grow.\n", "# A\nI {plant|{few} rows}.\n", "# A\nI grow {plant.\n", "# A\nI grow {}.\n",
        "# A\nI grow {red|blue.\n"}) {
    CAPTURE(text);
    CHECK(error_of_lines(text).starts_with("garden.txt:2: expected"));
  }
  for (const std::string_view text : {"\nplant roses\n", "\nplant =\n", "\n= roses\n"}) {
    CAPTURE(text);
    CHECK(error_of([&] { WordLists({"lists.txt", text}); }).starts_with("lists.txt:2: expected a list"));
  }
}

TEST_CASE("what is drawn once for a message stays in it and the rest is drawn each time") {
  const WordLists lists(kSmallLists);
  std::set<std::string> seen;
  bool differ = false;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    RandomStream random(1, trial, RandomRole::documents);
    MessageWords words(lists);
    const std::string first = words.filled("{plant}.", random);
    CHECK(words.filled("{plant}.", random) == first);
    seen.insert(first);
    differ = differ || words.filled("{few}.", random) != words.filled("{few}.", random);
  }
  CHECK(seen == std::set<std::string>{"Roses.", "Broad beans.", "Leeks."});
  CHECK(differ);
}

TEST_CASE("each of the words in braces comes and the text around them stays") {
  const WordLists lists(kSmallLists);
  RandomStream random(1, 0, RandomRole::documents);
  MessageWords words(lists);
  std::set<std::string> seen;
  for (int n = 0; n < 100; ++n) seen.insert(words.filled("my {red|old green} hat, {so|yes}.", random));
  CHECK(seen == std::set<std::string>{"My red hat, so.", "My red hat, yes.", "My old green hat, so.",
                                      "My old green hat, yes."});
}

}  // namespace
}  // namespace inkling::bench
